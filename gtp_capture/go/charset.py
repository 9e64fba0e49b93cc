"""The charset of SGF files: their text as UTF-8, and bytes that are not understood written as they were read.

In Shift_JIS, Big5 and GBK the second byte of a character may be a backslash or a bracket, so a file can be divided into
values only after its text is decoded. Many files name no charset (CA), or a wrong one. Readings of a file by several
charsets are therefore compared: a wrong one makes values run into each other, and gives characters that are rare.

Detectors such as charset-normalizer need more text than the names of two players, so a list of common characters is
kept here.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, islice, pairwise
from typing import Final, NamedTuple
from unicodedata import category

CHARSET: Final = re.compile(rb"(?<![A-Z])CA\s*\[([\w .:-]{1,40})\]")
"""The charset of a file; lower-case letters before it do not count (FF[3])."""
UTF_8: Final = b"CA[UTF-8]"
_PROBE: Final = r"[];()AZaz09\u0041\n+AGE-"
"""Text that a charset for SGF decodes as ASCII does."""
_SUPERSETS: Final = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "cp950",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
}
"""The charset that is meant if another one is named, as browsers take them."""
_GAME: Final = re.compile(rb"(?<=\))\s*(?=\(\s*;(?:(?!\(\s*;).)*?(?<![A-Za-z])(?:CA|FF|GM|SZ)\s*\[)", re.DOTALL)
"""What stands before a game of a collection: its first node has a property that no variation has."""
_START: Final = re.compile(r"\(\s*;")
_TOKEN: Final = re.compile(r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]?|[A-Za-z][A-Za-z0-9_]*|[;()]", re.DOTALL)
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_SEVEN_BITS: Final = re.compile(rb"\x1b[$(]|~\{")
"""Text that is not ASCII in the charsets of mail, whose bytes have seven bits."""
_PAIRS: Final = {
    "cp932": re.compile("[\udc81-\udc9f\udce0-\udcfc](?:[@-~]|[\udc80-\udcff])"),
    "": re.compile("[\udc81-\udcfe](?:[@-~]|[\udc80-\udcff])"),
}
"""Characters of two bytes in Shift_JIS, and in the other East Asian charsets."""
_SECOND: Final = re.compile(rb"[\x80-\xff]\\")
"""A backslash that may be the second byte of a character."""
_SHIELDED: Final = re.compile(rb"\xed[\xb1-\xb3][\x80-\xbf]")
"""A byte that is not understood, as a lone surrogate: U+DC00 and the byte."""
_BYTES: Final = {0xDC00 + byte: byte for byte in range(0x40, 0x80)}

_COMMON, _RARE, _NAMED, _ENOUGH, _MARGIN = 3, -4, 12, 60, 5
"""Points of a reading: for a common and for another character, for a charset without a list of common characters, which
only CA can name, to be believed without a comparison, and more than any other reading has; CA counts as much."""
_SAMPLE: Final = 2000
"""Characters that are judged."""

_CHINESE: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种"
    "事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第"
    "公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合"
    "回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总"
    "何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听"
    "白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带"
    "导争运笔黑棋吃劫征官占角挂拆飞跳尖断粘扳虎冲拔逃封压靠碰托退扭刺双补围攻防守厚薄势味厉害胜负赢输半贴段九八七六局赛"
    "杯冠亚届轮组余职李刘陈杨赵黄周吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧曹袁邓傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪田"
    "姜范石姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙雷钱汤尹黎易武乔贺赖龚庞樊兰殷施陶洪翟颜倪严牛温芦季俞章鲁葛伍韦申尤"
    "毕聂焦柳邢岳齐沿梅莫庄辛祝左涂谷祁舒耿牟卜詹苗凌费纪靳盛童欧甄项曲游阳裴席卫查屈鲍覃霍翁隋植甘景单包柏宁柯阮桂闵柴"
    "华车冉房伟芳娜秀英敏静丽磊洋艳勇杰娟涛超霞刚志辉玲红春燕峰鹏宇浩轩昊佳怡欣雨泽晨博睿洁豪俊凯晓波斌鑫婷宏亮云灵古羽"
    "翔毅廷柁芈汉润昱星旭廉仁载瑞铭嘉诚承启元昌镐镇圭熏勋泰永珠哲奎喆炫晙瀚琬弈這個們來為國時說會對過發後裡經麼學當現動"
    "還進樣開從實軍無與長機關點業將兩間問頭體見產應戰門員論處義幾認條係氣題爾別變總電數報結務場計資統區隊決馬書則聽卻達"
    "難權設記類據該規萬覺術領確傳師觀讓識帶導爭運筆徵飛斷沖壓補圍勢勝負贏輸貼賽盃亞屆輪組餘職劉陳楊趙黃吳孫羅鄭謝韓馮蕭"
    "鄧許呂蘇盧蔣賈葉閻鍾譚鄒陸顧龍錢湯喬賀賴龔龐蘭顏嚴溫蘆魯韋畢聶齊莊塗費紀歐項陽衛鮑單寧閔華車偉麗強艷傑濤剛輝紅鵬軒"
    "澤潔凱曉東雲靈銘誠啟勳漢潤載连谞笑於莹党鼎辜梓梦檀啸皓鋐屠钰竞羊龄彦若仓坚麒祥祈張栩聖碁賓緯簡靖庭連復終級譜評講习"
    "答案练初级"
)
_JAPANESE: Final = frozenset(
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選"
    "立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小"
    "七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原"
    "先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死"
    "官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局"
    "少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足"
    "違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛"
    "然早張映限親額監環験追審商葉義伝働形景落欧担好退準賞訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守"
    "若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達黒棋碁囲劫眼盤隅星譜級杯因坊"
    "聖王座天逃封攻厚薄筋布詰欠盲鈴橋伊林吉々清斎坂森池阿谷遠青太崎杉丸桜河依紀城栩羽根樹趙勲片聡彦哲秀芝虎遼許航郎裕光"
    "朋友博浩孝雅幸隆弘俊昭健康之介志恵香奈菜里紗麻沙愛佳弥絵花江夏希菫梅謝旻牛栄歩芳織克也純龍司誠修茂豊賢史源呉泉瀬越"
    "憲雁哉丈幻庵甫裏ヶ尾紳路浜浦塚柳菅敏仲邑洋宏輔祐弦暢寛慎洸涼柚恒徹朗淳泰晃章彰靖繁貴圭佑翔颯陸蓮湊悠葵陽凛咲杏梨茜"
    "綾彩津穂舞瞳遥帆久岩矢飯丹柴栗桑菊桃蘭鶴亀鷹熊猪鹿宇宙沼湖郷園庭戸寺仏堂楼街角端縁縦斜柱竹桐椿藍緑赤紫銅鉄鋼砂泥火"
    "灰炭油酒茶麦豆卵肉魚貝虫鳥獣犬猫馬羊豚鼠兎竜蛇猿鶏誤敗"
) | {chr(code) for code in range(0x3041, 0x30FF)}
_KOREAN: Final = frozenset(
    "이의다가는을에한를고은지하사기로도어자대리나시인아일정들서해그수제보만부장전상공원구과주스있경오여라조국당연적관민"
    "거동위선으학화업계회신문세유성개방소무비내안실진모중금니치우러체었생재발와현미용게면물분통간했단되른권명행트결산두"
    "입노르호않것없할때까후본군야반남교양였습던같음심출외합작불설영강초열려말마크터차프식법십북카타운석역높질약파포년월"
    "김박최윤임황송류홍손배백허곽엄채천함변염추돌창환준훈승건태희혜숙옥순철찬규범근섭균욱혁빈예린름흑집축패귀앙활잡끊막"
    "붙젖뻗밀긴쳤았따냄죽살눈끝팔칠육삼번째좋빠망갈응뺌컵왕바둑봉목곤온종레"
)
_LANGUAGES: Final = {
    "iso2022_jp": _JAPANESE,
    "iso2022_kr": _KOREAN,
    "cp932": _JAPANESE,
    "euc_jp": _JAPANESE,
    "cp950": _CHINESE,
    "big5hkscs": _CHINESE,
    "gb18030": _CHINESE,
    "cp949": _KOREAN,
}
"""Common characters by charset."""
_WESTERN: Final = ("cp1252", "iso8859-1")


class _Reading(NamedTuple):
    """A file as text of a charset."""

    codec: str
    text: str
    order: tuple[int, int]
    """Greater for better SGF: less text outside of values, then more values, names and delimiters."""
    points: int
    """How common its characters are."""


def as_utf8(data: bytes) -> bytes:
    """Return data with its text in UTF-8, and CA changed to it, as far as the text is understood.

    Each byte of other text becomes a lone surrogate, which is not a delimiter, and CA stays; `restored` gives the
    bytes back.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = CHARSET.sub(UTF_8, data.decode("utf-16", "replace").encode(errors="replace"))
    if _SHIELDED.search(data) and _decoded(data, "utf-8", "surrogatepass") is not None:
        return data
    return b"".join(_part_as_utf8(part) for part in _parts(data))


def restored(data: bytes) -> bytes:
    """Return what `as_utf8` made, with the bytes that are not understood as they were."""
    if not _SHIELDED.search(data):
        return data
    return data.decode("utf-8", "surrogatepass").translate(_BYTES).encode("utf-8", "surrogateescape")


def understood(data: bytes) -> bool:
    """Whether the text of data from `as_utf8` is understood as a whole."""
    return _decoded(data, "utf-8") is not None


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield the games in order; consecutive ones that name the same charset are one part."""
    edges = [0, *(found.start() for found in _GAME.finditer(data)), len(data)]
    for _, games in groupby((data[start:end] for start, end in pairwise(edges)), _charset):
        yield b"".join(games)


def _charset(data: bytes) -> str:
    """Return the name that CA gives; "" if there is none."""
    found = CHARSET.search(data)
    return found[1].decode().strip().lower() if found is not None else ""


@lru_cache(maxsize=64)
def _named_codecs(name: str) -> list[str]:
    """Return the codecs for the name of a charset, a larger one first; none if Python has none for text."""
    for spelling in (name, name.removeprefix("x-"), name.replace("windows-", "cp")):
        try:
            if _PROBE.encode().decode(spelling) == _PROBE:
                codec = codecs.lookup(spelling).name
                return list(dict.fromkeys([_SUPERSETS.get(codec, codec), codec]))
        except (LookupError, ValueError):
            pass
    return []


def _part_as_utf8(data: bytes) -> bytes:
    """Return games that name the same charset, or none, as `as_utf8` does."""
    named = _named_codecs(_charset(data))
    if data.isascii() and not _SEVEN_BITS.search(data):
        return CHARSET.sub(UTF_8, data) if named else data
    readings: dict[str, _Reading] = {}
    for codec in dict.fromkeys(["utf-8", *named, *_LANGUAGES, *_WESTERN]):
        text = _decoded(data, codec)
        if text is None or text in readings:
            continue
        found = _Reading(codec, text, _order(text), _points(codec, text) + _MARGIN * (codec in named))
        plausible = codec in named and found.points > _MARGIN and not readings
        plausible = plausible and not (codec in _WESTERN and _SECOND.search(data))
        if (codec == "utf-8" and not (named or data.isascii())) or (
            found.order[0] == 0 and (plausible or found.points >= _ENOUGH)
        ):
            return _encoded(found)
        readings[text] = found
    most = max(found.order for found in readings.values())
    first, *others = sorted((r for r in readings.values() if r.order == most), key=lambda r: -r.points)
    if first.points > 0 and all(first.points - other.points >= _MARGIN for other in others):
        return _encoded(first)
    if all(reading.points <= 0 for reading in (first, *others) if reading.codec not in named):
        for reading in (first, *others):
            if reading.codec in named and (reading.points > 0 or reading.codec not in _WESTERN):
                return _encoded(reading)  # rare characters in the charset of the file
    return _shielded(data, {reading.codec for reading in (first, *others)})


def _decoded(data: bytes, codec: str, errors: str = "strict") -> str | None:
    try:
        return data.decode(codec, errors)
    except (LookupError, ValueError):
        return None


def _encoded(reading: _Reading) -> bytes:
    return CHARSET.sub(UTF_8, reading.text.encode(errors="replace"))


def _shielded(data: bytes, codecs_: set[str]) -> bytes:
    """Return data with the bytes that are not ASCII as lone surrogates, and the second bytes of characters of two.

    If a charset of one byte divides the data as well as any other, second bytes do not matter.
    """
    text = data.decode("ascii", "surrogateescape")
    if not codecs_ & {"utf-8", *_WESTERN}:
        pairs = _PAIRS["cp932" if "cp932" in codecs_ else ""]
        text = pairs.sub(lambda found: found[0][0] + chr(0xDC00 | ord(found[0][1]) & 0xFF), text)
    return text.encode("utf-8", "surrogatepass")


def _order(text: str) -> tuple[int, int]:
    """Return how well a text is SGF, see `_Reading`."""
    start = _START.search(text)
    rest, tokens = _TOKEN.subn("", text[0 if start is None else start.start() :])
    return -sum(map(len, rest.split())), tokens


def _points(codec: str, text: str) -> int:
    """Return points for the characters that are common in the languages of a charset, less those for others."""
    found = islice(_NOT_ASCII.finditer(text), _SAMPLE)
    if (common := _LANGUAGES.get(codec)) is not None:
        return sum(_COMMON if char[0] in common else _RARE * _is_letter(char[0]) for char in found)
    if codec == "utf-8":  # that other text is valid UTF-8 is less likely, the longer its characters are
        return sum(_ENOUGH if char[0] > "\u07ff" else max(1, 6 * _western(text, char.start())) for char in found)
    return sum(_western(text, char.start()) for char in found) if codec in _WESTERN else _NAMED


def _is_letter(char: str) -> bool:
    """Whether a character is a letter, or none that is in use; letters as wide as ideographs are not counted."""
    return category(char)[0] in "LC" and not "\uff00" < char < "\uff5f"


def _western(text: str, at: int) -> int:
    """Return the points of a character that should be an accented letter in a word, or a sign beside one."""
    before, char, after = text[at - 1 : at], text[at], text[at + 1 : at + 2]
    if category(char)[0] == "L" and char < "\u0250":
        letter = any(other.isascii() and other.isalpha() for other in (before, after))
        return 1 if letter or (before + after).isascii() else _RARE
    return 0 if (before + after).isascii() and category(char)[0] != "C" else _RARE
