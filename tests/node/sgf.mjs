// Reads SGF from stdin with Sabaki's own parser, and writes each game as JSON: its nodes with all properties, as
// {data, children}.
import {readFileSync} from 'node:fs'
import sgf from '@sabaki/sgf'

const bare = ({data, children}) => ({data, children: children.map(bare)})
process.stdout.write(JSON.stringify(sgf.parse(readFileSync(0, 'utf8')).map(bare)))
