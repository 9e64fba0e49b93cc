"""The text of SGF files in East Asian and other charsets, with CA, without it and with a wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import dump_trees, read_tree

CHINESE = ["孔杰 胡耀宇", "马晓春九段", "白棋长出以后，黑棋不能打吃。", "许"]  # noqa: RUF001 - as Chinese has it
TAIWANESE = ["許", "周俊勳 林海峰", "功", "黑棋叫吃，白棋長出，這裡應該補一手。"]  # noqa: RUF001
JAPANESE = ["坂田栄男", "加藤正夫 武宮正樹", "ここでアタリ。黒は逃げられない。表示", "ソ 表"]
KOREAN = ["유창혁 서능욱", "흑이 단수를 쳤다. 백은 도망갈 수 없다.", "이세돌"]
WESTERN = ["Zoé", "Jörg Müller", "François", "¿Qué?"]
TEXTS = {
    "gb18030": CHINESE,
    "gbk": CHINESE,
    "cp950": TAIWANESE,
    "cp932": JAPANESE,
    "euc_jp": JAPANESE,
    "iso2022_jp": JAPANESE,
    "cp949": KOREAN,
    "iso8859-1": WESTERN,
    "utf-8": CHINESE + TAIWANESE + JAPANESE + KOREAN + WESTERN,
    "utf-16": CHINESE + WESTERN,
}
CASES = [(charset, text) for charset, texts in TEXTS.items() for text in texts]
NAMES = ["UTF-8", "ISO-8859-1", "GB2312", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1252", "x-unknown"]


def check(data: bytes, text: bytes) -> str:
    """Check that no move and no byte of a text is lost; return the name of White as it is understood."""
    game, tree = sgf.load(data), read_tree(data)
    assert len(game.moves) == 3
    for written in (dump_trees([tree]), sgf.dump(game)):
        again = read_tree(written)
        assert again.text("PW") == tree.text("PW")
        assert len(sgf.load(written).moves) == 3
        assert dump_trees([again]) == dump_trees([read_tree(dump_trees([again]))])
        assert tree.text("PW").encode() in written or text in written
    return tree.text("PW")


@pytest.mark.parametrize(("charset", "text"), CASES)
def test_no_move_and_no_text_is_lost_in_a_file_without_a_charset(charset: str, text: str) -> None:
    for form in ("(;SZ[9]PW[%s];B[aa];W[fe];B[ef])", "(;SZ[9]PB[x]PW[%s]C[see];B[aa];W[fe];B[ef]C[%s])"):
        name = check(form.replace("%s", text).encode(charset), text.encode(charset))
        assert name == text or "\ufffd" in name or charset == "iso2022_jp"  # never other characters


@pytest.mark.parametrize(
    ("name", "charset", "text"),
    [
        ("GB2312", "gb18030", "孟泰龄 龔"),
        ("Big5", "cp950", "圍碁"),
        ("big5-hkscs", "big5hkscs", "許啲"),
        ("Shift_JIS", "cp932", "髙尾 ①"),
        ("x-sjis", "cp932", "表示"),
        ("EUC-KR", "cp949", "똠방각하"),
        ("ISO-8859-1", "cp1252", "“Zoé”"),
        ("windows-1251", "cp1251", "Иванов"),
        ("KOI8-R", "koi8-r", "Иванов"),
        ("ISO-2022-JP", "iso2022_jp", "図表"),
        (" UTF-8 ", "utf-8", "許"),
    ],
)
def test_the_charset_of_a_file_is_used_as_it_is_meant(name: str, charset: str, text: str) -> None:
    data = f"(;SZ[9]CA[{name}]PW[{text}];B[aa];W[fe];B[ef])".encode(charset)
    assert check(data, text.encode(charset)) == text
    assert b"CA[UTF-8]" in dump_trees([read_tree(data)])


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_charset_loses_no_move_and_clear_text_is_read_all_the_same(name: str) -> None:
    for charset, text in CASES:
        if not charset.startswith(("utf-16", "iso2022")):
            data = f"(;SZ[9]CA[{name}]PW[{text}]C[{text}];B[aa];W[fe];B[ef])".encode(charset)
            assert check(data, text.encode(charset)) == text or len(text) < 10


@given(st.sampled_from(["gb18030", "cp950", "cp932", "euc_jp", "cp949"]), st.data())
def test_any_text_of_an_east_asian_charset_loses_no_move_in_it(charset: str, data: st.DataObject) -> None:
    character = st.integers(0x4E00, 0x9FA5).map(chr).filter(lambda char: len(char.encode(charset, "ignore")) == 2)
    text = data.draw(st.text(character, min_size=1, max_size=5))
    for name in (f"CA[{charset}]", ""):
        game = sgf.load(f"(;SZ[9]{name}PW[{text}];B[aa];W[fe];B[ef])".encode(charset))
        assert len(game.moves) == 3


def test_a_file_whose_bytes_happen_to_be_utf_8_loses_no_move() -> None:
    for name in ("CA[cp932]", ""):
        assert len(sgf.load(f"(;SZ[9]{name}PW[罔枉];B[aa];W[fe];B[ef])".encode("cp932")).moves) == 3


def test_a_collection_of_files_of_several_charsets_is_read_as_each_of_them() -> None:
    texts = [("big5", "許功"), ("cp932", "ソ表示"), ("utf-8", "柯洁"), ("gbk", "马晓春九段"), ("iso8859-1", "Zoé")]
    named = [f"(;SZ[5]CA[{charset}]PW[{text}];B[aa];W[bb])".encode(charset) for charset, text in texts]
    unnamed = [f"(;SZ[5]PW[{text}];B[aa];W[bb])".encode(charset) for charset, text in texts]
    for files in (named, [named[0], unnamed[2], named[1]], [named[2], unnamed[3], unnamed[3]]):
        games = list(sgf.split(b"\n".join(files)))
        assert [len(sgf.load(game).moves) for game in games] == [2] * len(files)
        assert all(read_tree(game).text("PW") in dict(texts).values() for game in games)


def test_text_that_is_not_understood_keeps_its_bytes_beside_text_that_is() -> None:
    unknown = b"(;SZ[5]PW[\xc8\xe2\xe0\xed \xbd\xa4];B[aa];W[bb])"
    trees = [read_tree("(;SZ[5]CA[UTF-8]PW[許];B[aa])".encode()), read_tree(unknown)]
    data = dump_trees(trees)
    assert b"PW[\xc8\xe2\xe0\xed \xbd\xa4]" in data
    first, second = sgf.split(data)
    assert (read_tree(first).text("PW"), len(sgf.load(second).moves)) == ("許", 2)
    assert dump_trees(map(read_tree, (first, second))) == data


OF_ONE_BYTE = {
    "cp1250": ["Jiří Dvořák", "Michał Kaźmierczak", "Gábor Szűcs", "Viktor Kovačić", "Dušan Mitić"],
    "iso8859-2": ["Jiří Dvořák", "Ondřej Šilt", "Łukasz Wiśniewski"],
    "cp1251": ["Иванов", "Илья Шикшин", "Ян", "Александр Динерштейн", "Шевченко Богдан"],
    "koi8-r": ["Иванов", "Илья Шикшин", "Наталья Ковалёва"],
    "koi8-u": ["Андрій Кравець"],
    "iso8859-5": ["Иванов Пётр"],
    "cp866": ["Иванов Пётр"],
    "cp1252": ["Zoë", "Jörg Müller", "Åse Østergaard", "João Gonçalves", "Nicolò", "Éva Grégory", "Guðrún Þórsdóttir"],
    "cp1253": ["Παπαδόπουλος", "Σοφία Γεωργίου"],
    "iso8859-7": ["Νίκος Ιωάννου"],
    "cp1254": ["Gökçe Yıldız", "Müjdat Şükrü Yağmur"],  # noqa: RUF001 - Turkish
    "cp1255": ["משה כהן לוי"],
    "cp1257": ["Jānis Bērziņš", "Žydrūnas Šimkūnas"],
    "iso8859-13": ["Jānis Bērziņš"],
    "cp874": ["สมชาย ใจดี"],
}
NAMES_OF_ONE_BYTE = [(charset, text) for charset, texts in OF_ONE_BYTE.items() for text in texts]


@pytest.mark.parametrize(("charset", "text"), NAMES_OF_ONE_BYTE)
def test_a_name_in_a_charset_of_one_byte_is_read_by_its_language(charset: str, text: str) -> None:
    data = f"(;SZ[9]PW[{text}];B[aa];W[fe];B[ef])"
    assert check(data.encode(charset), text.encode(charset)) == text
    for named in ("UTF-8", charset):
        assert check(data.replace("PW", f"CA[{named}]PW").encode(), text.encode()) == text  # it is UTF-8 all the same
    assert check(data.encode(), text.encode()) == text
    assert check(data.replace("PW", f"CA[{charset}]PW").encode(charset), text.encode(charset)) == text


SMILE, THUMB = "\U0001f600", "\U0001f44d"


@pytest.mark.parametrize("charset", ["CA[UTF-8]", ""])
@pytest.mark.parametrize("emoji", [SMILE, THUMB, THUMB + SMILE, "\U000e0067", "\U0010ffff"])
def test_an_emoji_as_two_surrogates_is_one_character_in_a_copy(emoji: str, charset: str) -> None:
    halves = emoji.encode("utf-16-be")
    pairs = [int.from_bytes(halves[at : at + 2]) for at in range(0, len(halves), 2)]
    cesu = "".join(map(chr, pairs)).encode("utf-8", "surrogatepass")
    data = b"(;SZ[9]%sPW[A%s]C[\xc3\xa9];B[aa];W[fe];B[ef])" % (charset.encode(), cesu)
    assert check(data, b"never") == f"A{emoji}"
    for copy in (dump_trees([read_tree(data)]), sgf.dump(sgf.load(data)), sgf.dump(sgf.load(next(sgf.split(data))))):
        assert f"PW[A{emoji}]" in copy.decode()


@pytest.mark.parametrize("half", [0xD83D, 0xDE00, 0xDC4D, 0xDC5D, 0xDCFF, 0xDFFF, 0xD800])
def test_half_an_emoji_under_utf_8_is_one_sign_and_the_copy_is_utf_8(half: int) -> None:
    lone = chr(half).encode("utf-8", "surrogatepass")
    data = b"(;SZ[9]CA[UTF-8]PW[A%s]C[\xc3\xa9];B[aa];W[fe];B[ef])" % lone
    tree, game = read_tree(data), sgf.load(data)
    assert (tree.text("PW"), len(game.moves)) == ("A\ufffd", 3)
    for copy in (dump_trees([tree]), sgf.dump(game), sgf.dump(sgf.load(next(sgf.split(data))))):
        assert "PW[A\ufffd]" in copy.decode()


@pytest.mark.parametrize(("charset", "text"), [("gb18030", "马晓春九段"), ("cp1251", "Иванов"), ("utf-8", "Zoé")])
def test_a_byte_order_mark_before_another_charset_does_not_matter(charset: str, text: str) -> None:
    data = b"\xef\xbb\xbf" + f"(;SZ[9]PW[{text}];B[aa];W[fe];B[ef])".encode(charset)
    assert check(data, text.encode(charset)) == text


def test_a_byte_that_is_not_understood_is_one_sign_in_a_name() -> None:
    assert sgf.load("(;SZ[9]PB[5½];B[cc])".encode("latin-1")).info["black"] == "5\N{REPLACEMENT CHARACTER}"
