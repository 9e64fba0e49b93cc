"""The folder of a class: hostile ones, damaged states, full disks and kills, against the server that uses it."""

from __future__ import annotations

import copy
import json
import os
import random
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from threading import Event, Semaphore
from typing import Any, Final

import pytest

from gtp_capture.classroom.folder import COPY, MARK, STATE, VERSION, Folder, FolderError
from gtp_capture.classroom.room import Classroom
from gtp_capture.classroom.seat import hashed
from gtp_capture.go import sgf
from gtp_capture.go.game import Game
from gtp_capture.players.player import Analyst
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.teach.review.reviewed import Review
from gtp_capture.tutor import game as game_session
from gtp_capture.tutor.problem import PlayTask
from gtp_capture.web import hub, results, view
from gtp_capture.web.hub import STREAMS
from gtp_capture.web.run import door

from ..support.classroom import GAME, answers, collection, do, joined, new_room, searches, teach, work
from ..support.forks import run
from ..support.process import HANG, wait_until
from ..support.served import Device, Served, teacher

PLAYED: Final = ("C3", "C4", "A1", "B3", "A2", "D3", "B1", "C2")
"""Moves of a pair on 5x5: White takes the stone at C3."""


def play_out(room: Classroom, *pair: int) -> None:
    """Play a game of a pair to its end."""
    teach(room, pair=[list(pair)])
    for number, vertex in enumerate(PLAYED):
        do(room, room.seats[pair[number % 2]], point=vertex)


@cache
def rich_state() -> dict[str, Any]:
    """Return the state of a class with each kind of session, a removed child, and games with and without a file."""
    room = new_room()
    mia, ole, ida, kim, eva, ben, zoe, gone = joined(room, "Mia", "Ole", "Ida", "Kim", "Eva", "Ben", "Zoë", "Gone")
    play_out(room, mia.number, ole.number)
    play_out(room, mia.number, ole.number)
    do(room, ida, choose="lesson-2")
    do(room, kim, choose="problems")
    assert kim.desk is not None
    task = kim.desk.session.task  # type: ignore[attr-defined]
    do(room, kim, point=task.game.vertex(task.examiner.solution()[0]))
    teach(room, activity={"seats": [eva.number], "kind": "lesson", "lesson": 1, "page": 7})
    while not eva.progress.done:
        answer(room, eva)
    do(room, eva, **{"continue": True})
    do(room, eva, point="A1")
    teach(room, activity={"seats": [ben.number], "kind": "game", "rules": "capture-3 ko=simple", "size": 7})
    do(room, ben, point="C3")
    teach(room, activity={"seats": [zoe.number], "kind": "lesson", "lesson": 3, "page": 9})
    teach(room, remove=[gone.number])
    teach(room, activity={"seats": "all", "kind": "free"})
    kinds = {desk.session.state()["kind"] for desk in room.desks}
    assert kinds == {"game", "lesson", "lesson game", "problem"}
    return {MARK: VERSION, **json.loads(json.dumps(room.state()))}


def answer(room: Classroom, seat: Any) -> None:
    """Give the right answer to the task of a lesson, or go on."""
    task = seat.desk.session.task
    if task.solved:
        do(room, seat, **{"continue": True})
    elif isinstance(task, PlayTask):
        do(room, seat, point=task.game.vertex(task.examiner.solution()[0]))
    else:
        assert isinstance(task.content, Quiz)
        if task.content.count is not None:
            do(room, seat, number=task.content.count)
        else:
            do(room, seat, point=task.game.vertex(min(task.content.points)))


def put(folder: Path, state: Any, name: str = STATE) -> None:
    """Write a state into a folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(state), encoding="utf-8")


known: Final = searches()
"""The searches of the classes of `opened`, which know the positions of earlier ones."""


def opened(folder: Path) -> Classroom:
    """Return the class of a folder, which is free again."""
    store = Folder(folder)
    try:
        return store.open(lambda kept: Classroom(GAME, known, collection(), random.Random(1), kept=kept))
    finally:
        store.close()


# --- Damaged states ---


VALUES: Final[tuple[Any, ...]] = (
    None, True, False, -1, 0, 1, 2, 7, 1.5, 10**13, 10**400, float("nan"), "", " ", "0", "C3", "Ole", "x" * 101,
    "\ud800", "\u202e\n", "japanese", "game", "contents", "lesson", [], [[]], [1], [1, 1], [1, 2, 3],
    ["A1"], {}, {"a": 1},
)  # fmt: skip
"""Values that stand in the place of others."""
Change = Callable[[Any], None]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each value."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(part, (*path, key))


def changed(state: Any, path: tuple[Any, ...], dice: random.Random) -> Any:
    """Return a state with a change at a place: another value, a missing one, one of another place, or one twice."""
    state = copy.deepcopy(state)
    *parents, last = path
    parent = state
    for key in parents:
        parent = parent[key]
    kind = dice.randrange(8)
    if kind == 0:
        del parent[last]
    elif kind == 1 and isinstance(parent, list):
        parent.append(copy.deepcopy(parent[last]))
    elif kind == 2:
        other = state
        for key in dice.choice([*places(state)]):
            other = other[key]
        parent[last] = copy.deepcopy(other)
    elif kind == 3 and type(parent[last]) is int:
        parent[last] += dice.choice((-1, 1, 100))
    else:
        parent[last] = dice.choice(VALUES)
    return state


def go_on(room: Classroom, dice: random.Random) -> None:
    """Do what a lesson does: show all pages, let children come back, and tap; nothing may fail."""
    here = door(8765, lan=False)
    work(room)
    for seat in [*room.seats.values()]:
        room.present(seat, True)
        shown = view.child(room, seat)
        assert shown["screen"] in ("home", "session")
        offered = [button["do"] for button in shown["buttons"] if not button["disabled"]]
        offered += [choice["do"] for choice in shown["choices"]]
        offered += [option["do"] for option in (shown["question"] or {"answers": []})["answers"]]
        offered += [{"point": vertex} for vertex in answers(shown)]
        do(room, seat, **dice.choice([*offered, {"home": True}]))
    for page in (view.teacher, view.wall):
        json.dumps(page(room, here)).encode()
    results.csv_of(room).encode()
    joined(room, "New")
    teach(room, pair={"by": "random", "seats": "all"})
    json.dumps(room.state()).encode()


def check_damaged(folder: Path, state: Any, dice: random.Random) -> bool:
    """Open a folder with a damaged state; return whether it was refused, in one line."""
    put(folder, state)
    before, room, said = (folder / STATE).read_bytes(), None, ""
    try:
        room = opened(folder)
    except FolderError as error:
        said = str(error)
    if room is not None:
        go_on(room, dice)
        return False
    assert said.startswith(f"folder {folder}: {STATE} cannot be used: ")
    assert said.isprintable()
    assert (folder / STATE).read_bytes() == before
    return True


@pytest.fixture
def reviewed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves of a game are judged once, as nearly all damaged states have the same games."""
    reviews = dict[bytes, Review]()

    def reviewed(analyst: Analyst, game: Game, budget: Budget) -> Review:
        key = sgf.dump(game)
        if key not in reviews:
            reviews[key] = review_game(analyst, game, budget)
        return reviews[key]

    monkeypatch.setattr(game_session, "review_game", reviewed)


@pytest.mark.slow
@pytest.mark.usefixtures("reviewed_once")
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_state_is_refused_in_one_line_or_is_no_trouble_in_the_lesson(seed: int, tmp_path: Path) -> None:
    state, dice = rich_state(), random.Random(seed)
    every = [*places(state)]
    refused = 0
    for path in every:
        damaged = changed(state, path, dice)
        try:
            refused += check_damaged(tmp_path, damaged, dice)
        except BaseException as error:
            error.add_note(f"{path}: {damaged}"[:2000])
            raise
    assert len(every) > 300
    assert len(every) > refused > len(every) / 2


def test_a_sound_state_goes_on(tmp_path: Path) -> None:
    put(tmp_path, rich_state())
    room = opened(tmp_path)
    work(room)
    kept, state = rich_state(), json.loads(json.dumps(room.state()))
    assert all(state[name] == kept[name] for name in ("word", "joined", "seats", "removed", "activity", "games"))
    assert [desk["session"] for desk in state["tables"]] == [desk["session"] for desk in kept["tables"]]
    go_on(room, random.Random(1))


def change(*path: Any, to: Any) -> Change:
    """Return a change of a value."""

    def act(state: Any) -> None:
        *parents, last = path
        for key in parents:
            state = state[key]
        state[last] = to

    return act


DAMAGE: Final[dict[str, tuple[Change, str]]] = {
    "no seats": (change("seats", to={}), "seats is no list of at most 60 values"),
    "no key": (change("seats", 0, "key_hash", to=None), "seats[0].key_hash is no text of at most 32 characters"),
    "an empty word": (change("word", to=" "), "word is empty"),
    "a list of what is allowed": (change("allowed", to=[]), "allowed is no object"),
    "a number twice": (change("seats", 1, "number", to=1), "two seats have the number 1"),
    "a name twice": (change("seats", 1, "name", to="MIA"), "two seats have the name mia"),
    "a child at two boards": (change("tables", 1, "seats", to=[1]), "two tables have the seat 1"),
    "a huge number": (change("count", to=10**30), "count is no whole number from 0 to 1000000000000"),
    "a board of the future": (change("tables", 0, "moved", to=10**9), "tables[0].moved is no whole number"),
    "no such level": (change("seats", 0, "progress", "level", to=11), "seats[0].progress.level is no whole number"),
    "no such lesson": (change("tables", 1, "session", "lesson", to=9), "tables[1].session.lesson is no whole number"),
    "wrong rules": (
        change("tables", 0, "session", "seats", "rules", to="chess"),
        "tables[0].session.seats.rules are no rules",
    ),
    "an illegal move": (
        change("tables", 0, "session", "sgf", to="(;SZ[5];B[cc];W[cc])"),
        "tables[0].session.sgf is no such game: ",
    ),
    "another board": (change("tables", 0, "session", "sgf", to="(;SZ[7])"), "tables[0].session.sgf has another board"),
    "the board of others": (
        change("tables", 0, "session", "seats", "names", to=["Mia", "Kim"]),
        "tables[0].session is no session of these seats",
    ),
    "a game without a number": (change("games", to={"x": ""}), "games.x is no number of a game"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_the_line_says_what_is_wrong(name: str, tmp_path: Path) -> None:
    state = copy.deepcopy(rich_state())
    act, said = DAMAGE[name]
    act(state)
    put(tmp_path, state)
    with pytest.raises(FolderError) as refusal:
        opened(tmp_path)
    assert f"class.json cannot be used: {said}" in str(refusal.value)


def test_an_accepted_state_is_served_whole(tmp_path: Path) -> None:
    """Each page and each stream of a class that goes on, from the real server."""
    put(tmp_path, rich_state())
    folder = Folder(tmp_path)
    with Served(folder.open(lambda kept: new_room(kept=kept)), folder) as server:
        own = teacher(server)
        for page in ("/", "/teacher", "/wall", "/results", "/results.csv", "/games.sgf"):
            assert own.get(page).status_code == 200, page
        for role in ("teacher", "wall"):
            with own.events(role) as news:
                assert next(news)["view"]
        for seat in [*server.room.seats.values()]:
            device = server.device()
            device.cookies.set(f"gtp-capture-device-{server.port}", f"device {seat.number}")
            seat.key_hash = hashed(f"device {seat.number}")
            with device.events("child") as news:
                assert next(news)["view"]["name"] == seat.name
    assert len(list((tmp_path / "games").iterdir())) == len(rich_state()["games"])


@pytest.mark.slow
def test_the_copy_before_the_last_change_is_offered_and_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "class"
    folder = Folder(path)
    room = folder.open(lambda kept: new_room(kept=kept))
    for name in ("Mia", "Ole"):
        joined(room, name)
        folder.write(room.state(), results.csv_of(room))
    folder.close()
    (path / STATE).write_text("{", encoding="utf-8")
    options = ["class", "--no-browser", "--port", "0", "--save", str(path)]
    done = run(*options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"class.json cannot be used: it is not JSON; rename {COPY} to {STATE}" in done.stderr
    (path / STATE).unlink()
    done = run(*options)
    assert f"class.json cannot be used: No such file or directory; rename {COPY} to {STATE}" in done.stderr
    (path / COPY).rename(path / STATE)
    assert [seat.name for seat in opened(path).seats.values()] == ["Mia"]
    put(path, {}, COPY)
    put(path, {})
    with pytest.raises(FolderError) as refusal:
        opened(path)
    assert COPY not in str(refusal.value), "a copy that cannot be used is not offered"


# --- Folders with other files ---


OTHERS: Final = {
    "results of another kind": {"results.csv": "name;mark\r\nMia;1\r\n"},
    "a letter": {"letter.txt": "Dear parents"},
    "games of a lost class": {"games/1.sgf": "(;GM[1])", "class.lock": ""},
    "a folder named games": {"games/holiday.jpg": ""},
    "a copy of a teacher": {"class.json.new copy": "x"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_folder_with_other_files_and_no_class_is_refused_with_a_suggestion(name: str, tmp_path: Path) -> None:
    for file, content in OTHERS[name].items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(content.encode())
    before = snapshot(tmp_path)
    done = run("class", "--no-browser", "--port", "0", "--save", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    other = next(file for file in OTHERS[name] if file != "class.lock").partition("/")[0]
    assert f"it has other files ({other}) and no class: give a new folder, such as " in done.stderr
    assert snapshot(tmp_path) == before


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Return all files with their contents."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_a_folder_in_which_a_class_has_hardly_begun_is_used(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("class.lock", "class.json.new", "results.csv.new3", ".DS_Store", "games/.DS_Store", "Thumbs.db"):
        (tmp_path / name).touch()
    folder = Folder(tmp_path)
    assert {path.name for path in tmp_path.rglob("*")} == {"games", "class.lock", ".DS_Store", "Thumbs.db"}
    folder.close()


def test_games_are_numbered_after_the_highest_one_and_no_file_is_overwritten(tmp_path: Path) -> None:
    put(tmp_path, {**rich_state(), "games": {}, "tables": []})
    (tmp_path / "games").mkdir()
    own = {"41.sgf": "(;SZ[5];B[cc])", "007.sgf": "a film", "9.txt": "x", "8.sgf.new": "half", "x.sgf.new": "mine"}
    for name, content in own.items():
        (tmp_path / "games" / name).write_bytes(content.encode())
    folder = Folder(tmp_path)
    room = folder.open(lambda kept: new_room(kept=kept))
    play_out(room, 1, 2)
    folder.write(room.state(), results.csv_of(room))
    folder.close()
    files = {path.name: path.read_bytes().decode() for path in (tmp_path / "games").iterdir()}
    assert {*files} == {*own, "42.sgf"} - {"8.sgf.new"}
    assert all(files[name] == content for name, content in own.items() if name in files)


@pytest.mark.posix
@pytest.mark.parametrize("mask", [0, 0o022])
def test_a_folder_that_the_class_makes_is_for_its_account_alone(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        path = tmp_path / "new" / "class"
        folder = Folder(path)
        room = folder.open(lambda kept: new_room(kept=kept))
        joined(room, "Mia", "Ole")
        play_out(room, 1, 2)
        for _ in range(2):
            folder.write(room.state(), results.csv_of(room))
            do(room, room.seats[1], home=True)
        modes = {str(file.relative_to(path)): stat.S_IMODE(file.stat().st_mode) for file in (path, *path.rglob("*"))}
        folder.close()  # some versions of filelock delete class.lock here
    finally:
        os.umask(before)
    files = ("class.json", COPY, "class.lock", "results.csv", "games/1.sgf")
    assert modes == {".": 0o700, "games": 0o700, **dict.fromkeys(files, 0o600)}


@pytest.mark.posix
def test_what_was_open_to_all_accounts_is_not_after_the_next_change(tmp_path: Path) -> None:
    put(tmp_path, rich_state())
    (tmp_path / STATE).chmod(0o644)
    folder = Folder(tmp_path)
    room = folder.open(lambda kept: new_room(kept=kept))
    folder.write(room.state(), results.csv_of(room))
    folder.close()
    assert stat.S_IMODE((tmp_path / STATE).stat().st_mode) == 0o600


def test_the_folder_has_nothing_that_gives_a_seat(tmp_path: Path) -> None:
    """Neither the name of a device nor that of an action can be read there."""
    folder = Folder(tmp_path)
    with Served(folder.open(lambda kept: new_room(kept=kept)), folder) as server:
        mia = server.device()
        mia.get("/")
        sent = {"word": server.room.word, "name": "Mia", "id": "the name of an action"}
        assert mia.enter(**sent).status_code == 200
        (key,) = (cookie.value for cookie in mia.cookies.jar if "device" in cookie.name)
    folder.close()
    text = "".join(path.read_text("utf-8-sig") for path in tmp_path.rglob("*") if path.is_file())
    assert key
    assert key not in text
    assert "the name of an action" not in text
    hashes = [seat["key_hash"] for seat in json.loads((tmp_path / STATE).read_text("utf-8"))["seats"]]
    with Served(opened(tmp_path)) as server:
        for given in ("", *hashes):
            stranger = server.device()
            stranger.cookies.set(f"gtp-capture-device-{server.port}", given)
            assert stranger.post("/do", json={"n": 0, "id": "x", "do": {"hand": True}}).status_code == 401
        mia = server.device()
        mia.cookies.set(f"gtp-capture-device-{server.port}", key)
        assert mia.post("/do", json={"n": 0, "id": "x", "do": {"hand": True}}).status_code == 200
        assert mia.enter(**sent).json() == {"seat": 1}, "the answer to coming in was lost"


def test_each_child_has_its_own_streams_after_a_new_start(tmp_path: Path) -> None:
    names, keys = [f"Child {number}" for number in range(STREAMS + 2)], []
    folder = Folder(tmp_path)
    with Served(folder.open(lambda kept: new_room(kept=kept)), folder) as server:
        for name in names:
            device = server.device()
            assert device.join(server.room, name).status_code == 200
            keys.append(next(cookie.value for cookie in device.cookies.jar if "device" in cookie.name))
    folder.close()
    open_streams: list[Iterator[Any]] = []
    with Served(opened(tmp_path)) as server, ExitStack() as stack:
        for key in keys:
            device = server.device()
            device.cookies.set(f"gtp-capture-device-{server.port}", key or "")
            open_streams.append(stack.enter_context(device.events("child")))
            assert next(open_streams[-1])["view"]["screen"] == "home"
        assert [stream.is_over for stream in server.hub.streams] == [False] * len(names)


# --- Writing ---


@pytest.mark.posix
@pytest.mark.parametrize("kind", ["folder", "pipe"])
@pytest.mark.parametrize("name", [STATE, "results.csv", "games/1.sgf"])
def test_what_cannot_be_written_is_tried_again_and_the_line_goes_when_it_is_written(
    name: str, kind: str, tmp_path: Path
) -> None:
    folder, path = Folder(tmp_path), tmp_path / name
    room = folder.open(lambda kept: new_room(kept=kept))
    (path.mkdir if kind == "folder" else lambda: os.mkfifo(path))()
    with Served(room, folder) as server:
        own, mia, ole = teacher(server), server.device(), server.device()
        for device, child in ((mia, "Mia"), (ole, "Ole")):
            assert device.join(room, child).status_code == 200
        own.teach(pair=[[1, 2]])
        for number, vertex in enumerate(PLAYED):
            act(room, (mia, ole)[number % 2], point=vertex)
        with own.events("teacher") as news:
            assert f"The class is not saved: {name} is not a regular file." == next(news)["view"]["class"]["trouble"]
            path.rmdir() if kind == "folder" else path.unlink()
            assert next(event["view"] for event in news if "view" in event)["class"]["trouble"] == ""
    assert [move.point for move in sgf.load((tmp_path / "games" / "1.sgf").read_bytes()).moves]
    assert b'"Ole"' in (tmp_path / STATE).read_bytes()
    assert b"Ole" in (tmp_path / "results.csv").read_bytes()


def act(room: Classroom, device: Device, **action: Any) -> None:
    """Do an action on the last view."""
    device.view["n"] = room.count
    assert device.act(**action).status_code == 200


def test_a_folder_that_is_gone_is_said_and_used_again_when_it_is_back(tmp_path: Path) -> None:
    path, away = tmp_path / "class", tmp_path / "away"
    folder = Folder(path)
    room = folder.open(lambda kept: new_room(kept=kept))
    with Served(room, folder) as server:
        mia = server.device()
        assert mia.join(room, "Mia").status_code == 200
        path.rename(away)
        path.touch()
        assert mia.act(hand=True).status_code == 200
        assert room.trouble is not None
        path.unlink()
        away.rename(path)
        wait_until(lambda: room.trouble is None)
    assert '"Mia"' in (path / STATE).read_text("utf-8")


class Drive:
    """A drive whose calls of the system answer, or hang until `answers` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers, self.hangs = Event(), Event()
        self.answers.set()
        self._sync = os.fsync
        monkeypatch.setattr(os, "fsync", self._fsync)

    def _fsync(self, file: int) -> None:
        if not self.answers.is_set():
            self.hangs.set()
            assert self.answers.wait(HANG)
        self._sync(file)


def kept(path: Path) -> str:
    """Return the state that is kept in a folder."""
    return (path / STATE).read_text("utf-8")


def test_a_drive_that_does_not_answer_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive, folder = Drive(monkeypatch), Folder(tmp_path)
    room = folder.open(lambda kept: new_room(kept=kept))
    with Served(room, folder) as server:
        own, mia = teacher(server), server.device()
        assert mia.join(room, "Mia").status_code == 200
        assert room.trouble is None
        assert '"Mia"' in kept(tmp_path), "what is answered while the teacher reads no trouble is saved"
        monkeypatch.setattr(hub, "PATIENCE", 0.05)
        drive.answers.clear()
        assert mia.act(hand=True).status_code == 200
        assert drive.hangs.is_set()
        waits = "At present nothing is saved: the drive with the class does not answer."
        with own.events("teacher") as news:
            assert next(news)["view"]["class"]["trouble"] == waits, "it is read before the action is answered"
            monkeypatch.setattr(hub, "PATIENCE", HANG)  # from now on an action that waits would be noticed
            devices = [server.device() for _ in range(2)]
            for device, name in zip(devices, ("Ole", "Ida"), strict=True):
                assert device.join(room, name).status_code == 200
            own.teach(pair=[[2, 3]])
            for number, vertex in enumerate(PLAYED):
                act(room, devices[number % 2], point=vertex)
            assert mia.do(choose="play")["turn"], "the computer plays, too"
            assert '"Ole"' not in kept(tmp_path)
            assert room.trouble is not None
            drive.answers.set()
            page = next(seen["view"] for seen in news if "view" in seen and not seen["view"]["class"]["trouble"])
        assert len(page["seats"]) == 3
        state = kept(tmp_path)
        assert all(name in state for name in ('"Mia"', '"Ole"', '"Ida"'))
        assert sgf.load((tmp_path / "games" / "1.sgf").read_bytes()).moves
        assert server.device().join(room, "Kim").status_code == 200
        assert room.trouble is None
        assert '"Kim"' in kept(tmp_path), "and from now on each answer waits again"


def test_the_line_stays_until_what_came_meanwhile_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The drive answers one state late, and hangs again at the next one, which was answered as not saved."""
    drive, folder, troubles = Drive(monkeypatch), Folder(tmp_path), list[bool]()
    room, write = folder.open(lambda kept: new_room(kept=kept)), folder.write
    ready = Semaphore(0)

    def counted(state: Any, results: str) -> None:
        troubles.append(room.trouble is not None)
        ready.release()
        write(state, results)

    monkeypatch.setattr(folder, "write", counted)
    with Served(room, folder) as server:
        mia = server.device()
        assert mia.join(room, "Mia").status_code == 200
        monkeypatch.setattr(hub, "PATIENCE", 0.05)
        drive.answers.clear()
        for name in ("Ole", "Ida"):
            assert server.device().join(room, name).status_code == 200
        troubles.clear()
        while ready.acquire(blocking=False):
            pass
        drive.answers.set()
        assert ready.acquire(timeout=HANG), "the state that came meanwhile"
        assert troubles[0], "and until it is written the teacher reads that it is not"
        wait_until(lambda: room.trouble is None)
        assert '"Ida"' in kept(tmp_path)


def test_a_class_ends_while_its_drive_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive, folder = Drive(monkeypatch), Folder(tmp_path)
    room = folder.open(lambda kept: new_room(kept=kept))
    with Served(room, folder) as server:
        mia = server.device()
        assert mia.join(room, "Mia").status_code == 200
        monkeypatch.setattr(hub, "PATIENCE", 0.05)
        drive.answers.clear()
        assert mia.act(hand=True).status_code == 200
        server.stop()
        assert view.trouble(room).startswith("At present nothing is saved")
    drive.answers.set()
    wait_until(lambda: not any(thread.name == "save" for thread in threading.enumerate()))


CALLS: Final = ("open", "replace", "fsync", "mkdir")


def killed_at(path: Path, number: int) -> bool:
    """Let a process play a game to its end and be killed at one of its calls of the system; return whether it was."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    try:
        folder = Folder(path)
        room = folder.open(lambda kept: new_room(kept=kept))
        folder.write(room.state(), results.csv_of(room))
        for vertex, number_of in zip(PLAYED[-2:], (1, 2), strict=True):
            do(room, room.seats[number_of], point=vertex)
        kill_at(number)
        folder.write(room.state(), results.csv_of(room))
        room.records.mark_written(room.records.unwritten())
        do(room, room.seats[1], home=True)
        folder.write(room.state(), results.csv_of(room))
        os._exit(0)
    finally:
        os._exit(1)


def kill_at(number: int) -> None:
    """End this process in place of the call of the system with a number."""
    left = [number]

    def counted(call: Any) -> Any:
        def wrapper(*args: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)
            return call(*args, **options)

        return wrapper

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))


@pytest.mark.posix
@pytest.mark.slow
def test_a_kill_at_any_call_of_the_system_loses_no_game_and_counts_none_twice(tmp_path: Path) -> None:
    kills = 0
    while True:
        path = tmp_path / str(kills)
        folder = Folder(path)
        room = folder.open(lambda kept: new_room(kept=kept))
        joined(room, "Mia", "Ole")
        teach(room, pair=[[1, 2]])
        for number, vertex in enumerate(PLAYED[:-2]):
            do(room, room.seats[1 + number % 2], point=vertex)
        folder.write(room.state(), results.csv_of(room))
        folder.close()
        was_killed = killed_at(path, kills)
        folder = Folder(path)
        room = folder.open(lambda kept: new_room(kept=kept))
        assert not [file for file in path.rglob("*") if ".new" in file.name]
        folder.write(room.state(), results.csv_of(room))
        folder.close()
        over = room.seats[1].progress.played
        assert room.seats[2].progress.won == over <= 1
        files = [*(path / "games").iterdir()]
        assert [file.name for file in files] == ["1.sgf"] * over, "the file follows from the state"
        assert all(len(sgf.load(file.read_bytes()).moves) == len(PLAYED) for file in files)
        assert [row.count('"1"') for row in (path / "results.csv").read_text("utf-8-sig").splitlines()[1:]]
        assert len(room.records.games) == 1
        if not was_killed:
            break
        kills += 1
    assert kills >= 12


@pytest.mark.posix
def test_a_folder_is_synced_after_each_renaming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, str]] = []
    replace, sync = os.replace, os.fsync

    def replaced(new: Path, old: Path) -> None:
        calls.append(("replace", Path(old).name))
        replace(new, old)

    def synced(file: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(file).st_mode)
        calls.append(("folder" if is_folder else "file", ""))
        sync(file)

    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(os, "fsync", synced)
    folder = Folder(tmp_path)
    folder.write({"games": {"1": "(;)"}}, "results")
    folder.close()
    names = (STATE, "1.sgf", "results.csv")
    assert calls == [step for name in names for step in (("file", ""), ("replace", name), ("folder", ""))]
