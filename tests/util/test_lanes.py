"""Lanes on a Dask cluster whose scheduler was lost so long ago that the client of Dask has closed itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gtp_capture.util.executor import CONNECT_SECONDS, WORKERS_POLL_SECONDS, ExecutorError
from gtp_capture.util.lanes import Lanes, lanes

from ..support.cluster import Cluster


@contextmanager
def lost_lanes(cluster: Cluster) -> Iterator[Lanes]:
    with lanes(2, cluster.address) as cluster_lanes:
        assert len(cluster_lanes.names()) == 2
        cluster.scheduler.kill()
        time.sleep(CONNECT_SECONDS + WORKERS_POLL_SECONDS + 2)
        yield cluster_lanes


def test_lost_lanes_have_no_names(cluster: Cluster) -> None:
    with pytest.raises(ExecutorError, match="is gone"), lost_lanes(cluster) as lost:
        lost.names()


def test_lost_lanes_take_no_job(cluster: Cluster) -> None:
    with pytest.raises(ExecutorError, match="is gone"), lost_lanes(cluster) as lost:
        lost.submit("lane", abs, -1)
