"""Atomic writing: a file is replaced as a whole or stays as it was."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from gtp_capture.util.atomic_file import atomic_write

from ..support.process import python


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"older")
    with atomic_write(path) as file:
        file.write(b"newer")
        file.flush()
        assert path.read_bytes() == b"older"
    assert path.read_bytes() == b"newer"
    assert list(tmp_path.iterdir()) == [path]


def write_and_interrupt(path: Path) -> None:
    with atomic_write(path) as file:
        file.write(b"newer")
        raise KeyboardInterrupt


@pytest.mark.parametrize("older", [b"older", None])
def test_an_error_leaves_the_older_file_and_no_other(older: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if older is not None:
        path.write_bytes(older)
    with pytest.raises(KeyboardInterrupt):
        write_and_interrupt(path)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == ([("file", older)] if older else [])


@pytest.mark.posix
def test_permissions_are_set_before_anything_is_written(tmp_path: Path) -> None:
    path, model = tmp_path / "file", tmp_path / "model"
    model.touch(mode=0o600)
    with atomic_write(path, mode_of=model) as file:
        assert stat.S_IMODE(path.with_name("file.new").stat().st_mode) == 0o600
        file.write(b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"older")
    link.symlink_to("file")
    with atomic_write(link) as file:
        file.write(b"newer")
    assert link.is_symlink()
    assert path.read_bytes() == b"newer"


@pytest.mark.posix
def test_a_file_keeps_its_permissions_and_no_other_file_is_touched(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "file.new"
    path.write_bytes(b"older")
    path.chmod(0o640)
    other.write_bytes(b"of the user")
    with atomic_write(path) as file:
        file.write(b"newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(KeyboardInterrupt):
        write_and_interrupt(path)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {
        "file": b"newer",
        "file.new": b"of the user",
    }


@pytest.mark.posix
def test_a_pipe_behind_a_link_is_written_directly() -> None:
    """The target that the system names for /dev/stdout in a pipe does not exist."""
    code = "from pathlib import Path\nfrom gtp_capture.util.atomic_file import atomic_write\n"
    code += "with atomic_write(Path('/dev/stdout')) as file: file.write(b'text')"
    assert python(code) == "text"


@pytest.mark.posix
def test_a_device_is_written_directly() -> None:
    with atomic_write(Path("/dev/null")) as file:
        file.write(b"text")
    assert not Path("/dev/null").is_file()


def test_an_error_names_the_file_that_the_caller_knows(tmp_path: Path) -> None:
    path = tmp_path / "no-folder" / "file"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(path):
        pass
    assert caught.value.filename == str(path)
