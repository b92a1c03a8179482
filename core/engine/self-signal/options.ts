import type { OptionsTable } from '../options-table.ts'
import type { SelfSignalOptions } from '../schema/self-signal.ts'

/** Every option with its rule, its `recommended` value and one line of help. */
export const SELF_SIGNAL_OPTIONS: OptionsTable<SelfSignalOptions> = {
  tolerantOpenTag: {
    rule: 'S1',
    value: true,
    help: 'Accept attributes in any order and blanks in the opening tag.',
  },
  lenientLengths: {
    rule: 'S2',
    value: true,
    help: 'Keep a self-signal whose reason is short or long, with a warning.',
  },
  dropBadOptional: {
    rule: 'S3',
    value: true,
    help: 'Leave out an optional field with a bad value instead of losing the self-signal.',
  },
  textStaysText: {
    rule: 'S4',
    value: true,
    help: 'Fields that are text stay text, even when they look like a number.',
  },
  lenientLists: {
    rule: 'S5',
    value: true,
    help: 'Read a list from lines, commas or <item> when it is not a JSON array.',
  },
  firstFieldWins: {
    rule: 'S6',
    value: true,
    help: 'Of a field given twice the first counts (off: the last).',
  },
  confidenceInTagOnly: {
    rule: 'S7',
    value: true,
    help: 'Look for the confidence attribute in the opening tag only.',
  },
  plainConfidence: {
    rule: 'S8',
    value: true,
    help: 'Confidence is a plain decimal number (off: also nan, inf, 1_0, other digits).',
  },
  skipFences: {
    rule: 'S9',
    value: true,
    help: 'A self-signal in a closed code fence is a quotation, unless all of them are.',
  },
  tidySeamOnly: {
    rule: 'S10',
    value: true,
    help: 'Stripping tidies the seam only (off: newlines and indentation everywhere).',
  },
  hideUnfinished: {
    rule: 'S11',
    value: true,
    help: 'Stripping hides a block at the end that was cut off or is still being written.',
  },
  stuckAfter: {
    rule: 'L15',
    value: 3,
    help: 'The same need_turn reason that many times in a row is a loop.',
  },
  fallbackAfter: {
    rule: 'L16',
    value: 3,
    help: 'That many responses without a self-signal ask for a fallback.',
  },
  heuristicFallback: {
    rule: 'L16',
    value: false,
    help: 'Say what to do on silence, doubt or a loop: continue, force_response, retry_with_hint, escalate.',
  },
  lowConfidence: {
    rule: 'L16',
    value: 0.3,
    help: 'A confidence below this asks for a fallback.',
  },
}
