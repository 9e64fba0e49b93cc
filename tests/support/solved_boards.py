"""Results of first capture that are published or that two independent programs agree on.

Published for 2x2, 3x3, 4x4, 5x5 and the 6x6 crosscut: van der Werf, Uiterwijk and van den Herik, 2002. Each entry holds
whether the side to move wins, and the plies of the shortest win.
"""

EMPTY = {
    (2, 2): (False, 4),
    (3, 3): (True, 7),
    (4, 4): (False, 14),
    (5, 5): (True, 19),
    (2, 3): (False, 6),
    (2, 4): (False, 8),
    (2, 5): (True, 7),
    (3, 4): (True, 9),
    (3, 5): (True, 9),
    (4, 5): (True, 17),
}
CROSSCUT = {(6, 6): (True, 15), (7, 7): (True, 15)}
