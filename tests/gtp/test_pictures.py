"""The pictures of the README and the manual are up to date."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ..support import pictures
from ..support.paths import MANUAL, ROOT

SHIPPED = MANUAL / "examples"


def drawn(path: Path) -> list[tuple[str, str]]:
    """Return the texts, their background colours and the circles of a picture, in order, without a terminal window."""
    shown = []
    for element in ElementTree.parse(path).iter():
        kind = element.tag.rpartition("}")[2]
        if kind == "text" and element.text:
            shown.append((kind, element.text))
        elif (kind == "rect" and element.get("shape-rendering")) or (kind == "circle" and element.get("stroke")):
            shown.append((kind, element.get("fill", "")))
    return shown


@pytest.fixture(scope="module")
def folder(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pictures")
    pictures.main(made)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", ["play.svg", "heat.svg", "lesson.svg"])
def test_each_picture_is_up_to_date(name: str, folder: Path) -> None:
    shipped = drawn(SHIPPED / name)
    assert len(shipped) > 50
    assert drawn(folder / name) == shipped, "run python -m tests.support.pictures"


@pytest.mark.slow
def test_the_readme_or_the_manual_shows_every_picture(folder: Path) -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *MANUAL.glob("*.md")])
    for path in folder.iterdir():
        assert f"examples/{path.name})" in texts
