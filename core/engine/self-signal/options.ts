import { type OptionsTable, optionsTable } from '../options-table.ts'
import type { SelfSignalOptions } from '../schema/self-signal.ts'

/** Preset `recommended`. */
const recommended: SelfSignalOptions = {
  tolerantOpenTag: true,
  lenientLengths: true,
  dropBadOptional: true,
  textStaysText: true,
  lenientLists: true,
  firstFieldWins: true,
  confidenceInTagOnly: true,
  plainConfidence: true,
  skipFences: true,
  tidySeamOnly: true,
  hideUnfinished: true,
  stuckAfter: 3,
  fallbackAfter: 3,
  heuristicFallback: false,
  lowConfidence: 0.3,
}

/** One line of help for every option. */
const HELP: Readonly<Record<keyof SelfSignalOptions, string>> = {
  /** [S1] */
  tolerantOpenTag: 'Accept attributes in any order and blanks in the opening tag.',
  /** [S2] */
  lenientLengths: 'Keep a self-signal whose reason is short or long, with a warning.',
  /** [S3] */
  dropBadOptional:
    'Leave out an optional field with a bad value instead of losing the self-signal.',
  /** [S4] */
  textStaysText: 'Fields that are text stay text, even when they look like a number.',
  /** [S5] */
  lenientLists: 'Read a list from lines, commas or <item> when it is not a JSON array.',
  /** [S6] */
  firstFieldWins: 'Of a field given twice the first counts (off: the last).',
  /** [S7] */
  confidenceInTagOnly: 'Look for the confidence attribute in the opening tag only.',
  /** [S8] */
  plainConfidence: 'Confidence is a plain decimal number (off: also nan, inf, 1_0, other digits).',
  /** [S9] */
  skipFences: 'A self-signal in a closed code fence is a quotation, unless all of them are.',
  /** [S10] */
  tidySeamOnly: 'Stripping tidies the seam only (off: newlines and indentation everywhere).',
  /** [S11] */
  hideUnfinished: 'Stripping hides a block at the end that was cut off or is still being written.',
  /** [L15] */
  stuckAfter: 'The same need_turn reason that many times in a row is a loop.',
  /** [L16] */
  fallbackAfter: 'That many responses without a self-signal ask for a fallback.',
  /** [L16] */
  heuristicFallback:
    'Say what to do on silence, doubt or a loop: continue, force_response, retry_with_hint, escalate.',
  /** [L16] */
  lowConfidence: 'A confidence below this asks for a fallback.',
}

/** Every option with its value and its help. */
export const SELF_SIGNAL_OPTIONS: OptionsTable<SelfSignalOptions> = optionsTable(recommended, HELP)
