"""Views of a class as values for JSON, each in the words of its reader: what a child, the teacher and the wall see."""

from .child_page import MOST_NUMBER as MOST_NUMBER
from .child_page import child as child
from .child_page import stranger as stranger
from .parts import LAN as LAN
from .parts import page_words as page_words
from .parts import problem_words as problem_words
from .parts import refusal as refusal
from .parts import tag as tag
from .parts import trouble as trouble
from .shapes import Door as Door
from .shapes import Message as Message
from .teacher_page import large as large
from .teacher_page import lesson_title as lesson_title
from .teacher_page import of_seat as of_seat
from .teacher_page import plan_step as plan_step
from .teacher_page import plan_title as plan_title
from .teacher_page import prepare as prepare
from .teacher_page import status as status
from .teacher_page import teacher as teacher
from .teacher_page import themes as themes
from .teacher_page import tries as tries
from .wall_page import wall as wall
