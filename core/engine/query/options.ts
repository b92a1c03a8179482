import type { OptionsTable } from '../options-table.ts'
import type { QueryOptions } from '../schema/query.ts'

/** Every option with its decision, its `recommended` value and one line of help. */
export const QUERY_OPTIONS: OptionsTable<QueryOptions> = {
  wholeWords: {
    rule: 'Q1',
    value: true,
    help: 'Keywords match as whole words with simple endings; a stretch of text counts once.',
  },
  leadingImperative: {
    rule: 'Q2',
    value: true,
    help: 'A message that begins with a verb of ACTION wins a tie for it.',
  },
  noBoostWithoutMatch: {
    rule: 'Q3',
    value: true,
    help: 'A question gains confidence only when something matched.',
  },
  blankIsEmpty: { rule: 'Q4', value: true, help: 'A message of blanks is treated as empty.' },
}
