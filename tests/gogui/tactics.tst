# gogui-regress "gtp-capture --size 9 --seed 1 --threads 1 --playouts 2000" tactics.tst

boardsize 9
gogui-setup b A2 w A1 w E5
10 reg_genmove b
#? [B1]
20 capture-hint
#? [B1 takes a stone and wins]

# An own stone in atari has one way out.
clear_board
gogui-setup b E5 w E4 w D5 w E6
30 reg_genmove b
#? [F5]
40 capture-hint
#? [F5 takes Black's chain at E5 out of atari]

# Two stones in atari at once: whatever is saved, the other one falls.
clear_board
gogui-setup b A1 w A2 b J9 w J8
50 capture-hint
#? [Every move loses\. (I would play .*|.* lasts longest: \d+ moves?)]
play b E5
60 capture-explain
#? [E5 loses in 1 ply: W (B1|H9) \(capture\)\. The position was lost from the start]

# On the edge there is no way out of an atari.
clear_board
gogui-setup w A5 b B5 b A6 b C3 w G7
gogui-setup_player b
70 reg_genmove b
#? [A4]
80 final_status A5
#? [alive]
