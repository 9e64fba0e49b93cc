"""Lanes on a Dask cluster whose scheduler was lost so long ago that the client of Dask has closed itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gtp_capture.util.executor import CONNECT_SECONDS, WORKERS_POLL_SECONDS, ExecutorError
from gtp_capture.util.lanes import Lane, Lanes, lanes

from ..support.cluster import Cluster


@contextmanager
def lost_lanes(cluster: Cluster) -> Iterator[Lanes]:
    with lanes(2, cluster.address) as cluster_lanes:
        assert len(cluster_lanes.now()) == 2
        cluster.scheduler.kill()
        time.sleep(CONNECT_SECONDS + WORKERS_POLL_SECONDS + 2)
        yield cluster_lanes


def test_there_are_no_lanes_then(cluster: Cluster) -> None:
    with pytest.raises(ExecutorError, match="is gone"), lost_lanes(cluster) as lost:
        lost.now()


def test_lost_lanes_take_no_job(cluster: Cluster) -> None:
    with pytest.raises(ExecutorError, match="is gone"), lost_lanes(cluster) as lost:
        lost.submit(Lane("lane", 0), abs, -1)
