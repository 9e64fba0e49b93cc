# gogui-regress "gtp-capture --player random --size 5" rules.tst

boardsize 5
clear_board
play b A2
play w A1
10 is_legal b B1
#? [1]
20 is_legal w B1
#? [1]
30 list_stones b
#? [A2]
40 capture-atari
#? [white B1 A1]
50 capture-outcome
#? [the game goes on]
play b B1
60 capture-outcome
#? [BLACK WINS \(capture\)]
70 final_score
#? [B\+1]
80 genmove w
#? [resign]
90 genmove b
#? [pass]
100 list_stones w
#? []
gg-undo 2
110 capture-outcome
#? [the game goes on]
120 list_stones w
#? [A1]

# A point between two white stones, with the corner behind it, is suicide.
clear_board
gogui-setup w A2 w B1 w C2 b E5
130 is_legal b A1
#? [0]
140 is_legal w A1
#? [1]
150 all_legal b
#? [(?!.*A1).*E1.*]

# Only White has a play left: Black, to move, has lost.
rectangular_boardsize 5 2
gogui-play_sequence w A2 w B1 w B2 w C1 w C2 w D1 w D2 w E2
160 capture-outcome
#? [WHITE WINS \(no move\)]
170 gogui-title
#? [Capture Go, first-capture]
