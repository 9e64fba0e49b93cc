"""Perfect play as a yardstick: fixed tasks, the distance of an agent from perfect play, and data sets of exact values.

`measure(agent, "capture-go-5x5")` returns a `Report`; `write_data` writes a data set; `TASKS` has all tasks.
"""

from .data import write_data as write_data
from .measure import Mean as Mean
from .measure import Report as Report
from .measure import Share as Share
from .measure import measure as measure
from .tasks import TASKS as TASKS
from .tasks import Task as Task
