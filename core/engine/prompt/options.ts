import type { OptionsTable } from '../options-table.ts'
import type { PromptOptions } from '../schema/prompt.ts'

/** Every option with its decision, its `recommended` value and one line of help. */
export const PROMPT_OPTIONS: OptionsTable<PromptOptions> = {
  budget: { rule: 'T010', value: 8000, help: 'Most tokens of a composed prompt.' },
  estimator: { rule: 'P4', value: 'chars4', help: 'What the budget counts with.' },
  admitByRealSize: {
    rule: 'P1',
    value: true,
    help: 'An optional segment must fit by its estimate and by its real size.',
  },
  warnUnknownSegments: {
    rule: 'P3',
    value: true,
    help: 'Warn when an extra segment is not in the registry.',
  },
  strictVariables: {
    rule: 'L13',
    value: false,
    help: 'A variable that nobody supplies is an error instead of empty text.',
  },
}
