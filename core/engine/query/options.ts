import { type OptionsTable, optionsTable } from '../options-table.ts'
import type { QueryOptions } from '../schema/query.ts'

/** Preset `recommended`. */
const recommended: QueryOptions = {
  wholeWords: true,
  leadingImperative: true,
  noBoostWithoutMatch: true,
  blankIsEmpty: true,
}

/** One line of help for every option. */
const HELP: Readonly<Record<keyof QueryOptions, string>> = {
  /** [Q1] */
  wholeWords: 'Keywords match as whole words with simple endings; a stretch of text counts once.',
  /** [Q2] */
  leadingImperative: 'A message that begins with a verb of ACTION wins a tie for it.',
  /** [Q3] */
  noBoostWithoutMatch: 'A question gains confidence only when something matched.',
  /** [Q4] */
  blankIsEmpty: 'A message of blanks is treated as empty.',
}

/** Every option with its value and its help. */
export const QUERY_OPTIONS: OptionsTable<QueryOptions> = optionsTable(recommended, HELP)
