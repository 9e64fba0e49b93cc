# gogui-regress "gtp-capture --player greedy --size 9" handicap.tst

boardsize 9
10 fixed_handicap 2
#? [C3 G7]
20 gogui-version
#? [\d+\.\d+.*]
30 genmove w
#? [[A-HJ]\d]
clear_board
gogui-play_sequence b C3 w C4 b pass
40 capture-outcome
#? [WHITE WINS \(pass\)]
gg-undo 3
50 list_stones b
#? []
60 final_status_list dead
#? []
