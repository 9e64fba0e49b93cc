"""Languages: each catalogue is complete and can be said, the made-up one stands for another; a person's language."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

import gtp_capture.library  # noqa: F401 - it gives values their texts
from gtp_capture import Game
from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.teach import sentences, words
from gtp_capture.teach.course import lessons
from gtp_capture.teach.puzzles import files
from gtp_capture.util.catalogue import compile_catalogue

from ..support import translations
from ..support.paths import ROOT

CATALOGUES = sorted(path.parents[1].name for path in sentences.FOLDER.glob("*/*/*.po"))
EACH = pytest.mark.parametrize("language", [translations.MADE_UP, *CATALOGUES])
COUNTS = (0, 1, 2, 3, 5, 11, 21, 100)
"""Numbers of each plural form of the languages of Europe and Asia."""
TYPED = ("typed.yes", "typed.no")


@pytest.fixture(scope="module")
def template() -> Catalog:
    return translations.template()


@pytest.fixture(scope="module")
def sources(template: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source of each catalogue, and of the made-up one; all are compiled."""
    folder = tmp_path_factory.mktemp("locale") / "locale"
    shutil.copytree(sentences.FOLDER, folder, ignore=shutil.ignore_patterns("*.mo")) if CATALOGUES else folder.mkdir()
    path = translations.source(translations.MADE_UP, folder)
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, translations.made_up(template))
    for language in (translations.MADE_UP, *CATALOGUES):
        compile_catalogue(translations.source(language, folder))
    return folder


@pytest.fixture
def compiled(sources: Path) -> Iterator[Path]:
    with translations.used(sources):
        yield sources


# --- Catalogues ---


@EACH
def test_a_language_is_complete(language: str, sources: Path, template: Catalog) -> None:
    faults = list(translations.faults(template, translations.read(translations.source(language, sources))))
    assert faults == [], f"run python -m tests.support.translations {language}, and translate what it lists"


@EACH
@pytest.mark.usefixtures("compiled")
def test_each_sentence_is_made_from_its_fields_with_each_number(language: str) -> None:
    voice = words.Voice(language=language)
    for key, text in sentences.table().items():
        if translations.is_message(key):
            fields = translations.fields(text) - {("count", ""), ("size", "")}
            values: dict[str, object] = {name: 7.5 if spec else f"<{name}>" for name, spec in fields}  # no capital form
            values["size"] = (5, 5)
            for count in COUNTS:
                said = voice.text(key, count=count, **values)
                for name, spec in fields & translations.fields(sentences.table().get(f"{key}.one", text)):
                    assert spec or f"<{name}>" in said, said


@pytest.mark.slow
@EACH
@pytest.mark.usefixtures("compiled")
def test_the_lessons_in_another_language_differ_in_texts_alone(language: str) -> None:
    for number in lessons.numbers():
        english, other = (
            [without_texts(data) for data in sgf.split(lessons.source(number, said))]
            for said in (sentences.ENGLISH, language)
        )
        assert english == other


def without_texts(data: bytes) -> bytes:
    root = read_tree(data)
    for node, name, mark, _ in lessons.texts(root):
        node.set_text(name, mark)
    root.set_text("GN", "")
    return dump_trees([root])


def test_the_catalogues_of_a_checkout_are_compiled() -> None:
    languages = sentences.languages()
    assert languages == [sentences.ENGLISH, *CATALOGUES], "run python -m tests.support.translations"


def test_a_catalogue_is_used_while_its_source_is_the_same_whatever_the_times_of_files(compiled: Path) -> None:
    path = translations.source(translations.MADE_UP, compiled)
    data, before = path.read_bytes(), path.stat().st_mtime
    try:
        for seconds in (100, -100):  # as after `cp -r`, or a checkout of Git
            os.utime(path, (before, before + seconds))
            sentences.translated.cache_clear()
            assert translations.MADE_UP in sentences.languages()
        path.write_bytes(data + b"\n# changed\n")
        os.utime(path, (before, before - 100))
        sentences.translated.cache_clear()
        assert translations.MADE_UP not in sentences.languages()
        assert words.Voice(language=translations.MADE_UP).text("play.ready") == "I am ready now."
    finally:
        path.write_bytes(data)
        sentences.translated.cache_clear()


def test_no_word_means_yes_in_one_language_and_no_in_another() -> None:
    said = [sentences.catalogue(language) for language in sentences.languages()]
    yes, no = ({*" ".join(words.pgettext(key, sentences.table()[key]) for words in said).split()} for key in TYPED)
    assert len(said) == 1 + len(CATALOGUES)
    assert {"yes", "ja", "oui", "sí", "si", "sim", "はい", "是"} <= yes
    assert {"no", "nein", "non", "não", "nao", "いいえ", "不"} <= no
    assert not yes & no


@EACH
@pytest.mark.usefixtures("compiled")
def test_the_words_of_a_class_differ_in_two_letters(language: str) -> None:
    class_words = words.class_words(sentences.ENGLISH if language == translations.MADE_UP else language)
    near = [(one, other) for n, one in enumerate(class_words) for other in class_words[:n] if is_near(one, other)]
    assert near == [], "a child that mistypes a letter must not come in, or be told another word"


def is_near(one: str, other: str) -> bool:
    """Whether one letter that is changed, added or left out makes a word of another."""
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return sum(a != b for a, b in zip(short, long, strict=True)) < 2
    return any(long[:n] + long[n + 1 :] == short for n in range(len(long)))


@pytest.mark.parametrize("language", CATALOGUES)
def test_punctuation_is_that_of_the_language(language: str) -> None:
    narrow = r"[:;!?()]"
    others = {"ja": narrow, "zh_CN": narrow, "zh_TW": rf"{narrow}|[\u2018-\u201d]"}
    wrong = {**others, "fr": rf"[^{SPACES}][:;!?»]|«[^{SPACES}]"}.get(language, "(?!)")
    for message, said in all_forms(language):
        bare = re.sub(r"\{[^}]*\}|https?:|[「“]!”|「!」", "x", said)  # the sign ! is drawn before a stone
        assert not re.search(rf"[\"']|{wrong}", bare), (message.context, said)


SPACES: Final = "\xa0\u202f"
WEB: Final = ROOT / "gtp_capture/web/static"
KANJI: Final = Path(__file__).parents[1] / "data" / "kanji.txt"
FOR_TEACHERS: Final = "answer at_home code console door help homework not_saved page pairs report result tries"
GROWN_UP: Final = re.compile(
    rf"(code|class\.({FOR_TEACHERS.replace(' ', '|')})|heat|plot|review\.(?!child)|usage)\b|.*\.teacher\b"
)
"""The keys of sentences for teachers and other grown-up readers, but for those on a child's page."""


def test_children_read_kanji_of_the_first_three_years_of_school() -> None:
    years = [line for line in KANJI.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert [len({*year}) for year in years] == [80, 160, 200]
    known = {*"".join(years)}
    child = "".join((WEB / name).read_text("utf-8") for name in ("child.html", "child.js", "page.js", "session.js"))
    on_page = {f"class.page.{name}" for name in re.findall(r"(?:\bwords\.|\$)(\w+)", child)}
    assert "class.page.welcome" in on_page
    for message, said in all_forms("ja"):
        key = message.context or ""
        if (GROWN_UP.match(key) and key not in on_page) or any(
            "for teachers" in comment for comment in message.auto_comments
        ):
            continue
        shown = said.split()[0] if key.startswith("typed.") or key.endswith(".word") else said  # others are typed alone
        assert {*re.findall("[\u4e00-\u9fff]", shown)} <= known, (key, said)


def all_forms(language: str) -> Iterator[tuple[Message, str]]:
    """Yield each message of a catalogue with each of its forms."""
    for message in filter(lambda message: message.id, translations.read(translations.source(language))):
        yield from ((message, said) for said in translations.forms(message.string))


@EACH
@pytest.mark.usefixtures("compiled")
def test_each_sentence_with_a_move_can_have_a_pass(language: str) -> None:
    voice, moves = words.Voice(language=language), {"move", "better", "mistake", "punishment", "vertex", "reply"}
    for key, text in sentences.table().items():
        fields = translations.fields(text)
        if not translations.is_message(key) or not {name for name, _ in fields} & moves:
            continue
        values = {name: 7.5 if spec else "X" for name, spec in fields - {("count", ""), ("size", "")}}
        passes = {name: voice.text("pass.move" if name == "vertex" else "pass") for name in values if name in moves}
        said = voice.text(key, count=2, **{**values, **passes})
        assert any(shown in said or shown[:1].upper() + shown[1:] in said for shown in passes.values()), said

        assert not (text.startswith("{Move}") and said[:1].islower()), f"{key}: {said}"


def test_an_update_keeps_translations_and_changes_no_byte_without_need(template: Catalog, tmp_path: Path) -> None:
    translations.update("de", template, tmp_path)
    path = translations.source("de", tmp_path)
    path.write_text(path.read_text().replace('msgid "White"\nmsgstr ""', 'msgid "White"\nmsgstr "Weiß"'))
    kept = path.read_bytes()
    message = translations.update("de", template, tmp_path).get("White", "white")
    assert message is not None
    assert message.string == "Weiß"
    assert path.read_bytes() == kept


@pytest.mark.slow
def test_a_wheel_has_the_compiled_catalogues_and_not_their_sources(sources: Path, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "machine_code", "locale")
    shutil.copytree(ROOT / "gtp_capture", tmp_path / "gtp_capture", ignore=ignored)
    shutil.copytree(sources, tmp_path / "gtp_capture" / "locale", ignore=shutil.ignore_patterns("*.mo"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    build = "import setuptools.build_meta as build; build.build_wheel('.'); build.build_editable('editable')"
    (tmp_path / "editable").mkdir()
    subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path, env={**os.environ, "GTP_CAPTURE_PROCESSOR": "none"},
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if "/locale/" in name}
    made = {f"gtp_capture/locale/{name}/LC_MESSAGES/gtp_capture.mo" for name in (translations.MADE_UP, *CATALOGUES)}
    assert names == made
    assert all((tmp_path / name).exists() for name in made)  # of the editable installation


# --- The language of a person ---


@pytest.fixture
def four(template: Catalog, tmp_path: Path) -> Iterator[None]:
    """Catalogues for de, pt_BR, pt_PT and zh_CN, which say nothing."""
    for name in ("de", "pt_BR", "pt_PT", "zh_CN"):
        translations.install(Catalog(locale=name), tmp_path, name)
    with translations.used(tmp_path):
        yield


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("names", "language"),
    [
        ("en en_GB en-US EN", "en"),
        ("de de_AT.UTF-8 de_DE@euro de-CH DE", "de"),
        ("pt PT pt_BR.UTF-8 pt-BR", "pt_BR"),
        ("pt_PT.UTF-8 pt-PT pt_AO.UTF-8 pt-MZ", "pt_PT"),
        ("zh zh_CN.GB18030 zh_Hans zh-Hans-CN zh_SG", "zh_CN"),
    ],
)
def test_a_language_has_several_names(names: str, language: str) -> None:
    assert {sentences.language(name) for name in names.split()} == {language}


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize("name", ["xx", "", "C.UTF-8", "POSIX", "deutsch", "../de", "d"])
def test_an_unknown_language_is_refused_with_all_that_there_are(name: str) -> None:
    with pytest.raises(ValueError, match=r"is not one of en, de, pt_BR, pt_PT, zh_CN$"):
        sentences.language(name)


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "pt_PT.UTF-8", "LANGUAGE": "xx:zh_TW:de"}, "zh_CN"),
        ({"LANG": "de", "LANGUAGE": ""}, "de"),
        ({"LANG": "tlh"}, "en"),
    ],
)
def test_the_environment_names_the_language(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in sentences.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert sentences.language_of_system() == language


@pytest.mark.posix  # Windows is simulated
@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    ("number", "language"), [(0x0407, "de"), (0x0416, "pt_BR"), (0x0816, "pt_PT"), (0x0804, "zh_CN"), (0, "en")]
)
def test_windows_names_the_language_of_its_desktop(number: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in sentences.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    system = SimpleNamespace(kernel32=SimpleNamespace(GetUserDefaultUILanguage=lambda: number))
    monkeypatch.setattr(ctypes, "windll", system, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert sentences.language_of_system() == language


@pytest.mark.usefixtures("compiled")
def test_files_of_the_library_are_in_a_language() -> None:
    problem = files.shipped()[0]
    assert "«" in problem.sgf(language=translations.MADE_UP)
    assert "«" not in problem.sgf()
    comments = re.findall(r"C\[(?!RIGHT\])([^]]*)", problem.sgf(language=translations.MADE_UP))
    assert comments
    assert all("«" in comment for comment in comments)
    with pytest.raises(ValueError, match="'xx' is not one of en, "):
        problem.sgf(language="xx")


def test_numbers_have_the_decimal_sign_of_the_language(compiled: Path) -> None:
    game = Game("japanese", 5, komi=6.5)
    for color in "bw":
        game.play("pass", color)
    outcome = game.outcome
    assert outcome is not None
    assert "6.5 points" in words.result_line(game, outcome, words.Voice())
    assert "6,5" in words.result_line(game, outcome, words.Voice(language="de"))


@pytest.mark.parametrize(
    ("komi", "said"), [(6.5, "さらに6目半もらいます"), (6, "さらに6目もらいます"), (0.5, "さらに半目もらいます")]
)
def test_points_and_halves_are_counted_as_the_language_counts(komi: float, said: str, compiled: Path) -> None:
    assert said in words.Voice(language="ja").text("rules.komi", komi=float(komi))


@pytest.mark.parametrize(("size", "said"), [((5, 5), "ばんは5路、"), ((9, 7), "ばんは9x7、")])
def test_a_square_board_is_named_by_its_lines(size: tuple[int, int], said: str, compiled: Path) -> None:
    assert said in words.Voice(language="ja").text("play.game", size=size, level="", rules="")
    assert "Board 5x5, " in words.Voice().text("play.game", size=(5, 5), level="", rules="")
