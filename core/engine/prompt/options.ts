import { type OptionsTable, optionsTable } from '../options-table.ts'
import type { PromptOptions } from '../schema/prompt.ts'

/** Preset `recommended`. */
const recommended: PromptOptions = {
  budget: 8000,
  estimator: 'chars4',
  admitByRealSize: true,
  warnUnknownSegments: true,
  strictVariables: false,
}

/** One line of help for every option. */
const HELP: Readonly<Record<keyof PromptOptions, string>> = {
  /** T010 */
  budget: 'Most tokens of a composed prompt.',
  /** [P4] */
  estimator: 'What the budget counts with.',
  /** [P1] */
  admitByRealSize: 'An optional segment must fit by its estimate and by its real size.',
  /** [P3] */
  warnUnknownSegments: 'Warn when an extra segment is not in the registry.',
  /** [L13] */
  strictVariables: 'An undefined variable is an error instead of empty text.',
}

/** Every option with its value and its help. */
export const PROMPT_OPTIONS: OptionsTable<PromptOptions> = optionsTable(recommended, HELP)
