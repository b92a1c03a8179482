import { type OptionsTable, optionsTable } from '../options-table.ts'
import { BeliefOptions } from '../schema/preset.ts'

/** Preset `recommended`. */
export const recommendedOptions: BeliefOptions = {
  momentumThreshold: 3,
  secondaryMinSignals: 1,
  defaultDomain: 'conversation',
  breakMinSignals: {
    file_ops: null,
    git_ops: null,
    config_edit: null,
    conversation: null,
    system_admin: 2,
  },
  heldConfidenceFromScores: true,
  widenMinSignals: 2,
  defaultDomainYields: true,
  keepPrimaryWhenResisting: true,
  primaryDisabledStopsSecondary: true,
  belowThresholdStopsSecondary: true,
  injectSkipNotices: false,
  tolerant: true,
  stickyPrimary: false,
  maxResistedTurns: null,
  decayAfterTurns: null,
  challengerWinsTies: false,
  minSignals: {},
  antiSignals: [],
  maxChars: 32_768,
  stripThinking: false,
  stripCodes: true,
  stripQuoted: { quotation: true, fence: false, log: false, notice: true },
  classify: { user: true, agent: false, tool: true, notices: false },
  asciiBoundaries: false,
  abstainMargin: null,
}

/** One line of help for every option. */
const HELP: Readonly<Record<keyof BeliefOptions, string>> = {
  /** [M2] */
  momentumThreshold: 'Turns with one signature from which momentum is strong.',
  /** [C4] */
  secondaryMinSignals: 'Least score of a secondary domain.',
  /** [C3] */
  defaultDomain: 'Primary of a turn on which nothing matches.',
  /** [B1] */
  breakMinSignals:
    'Least score with which a domain may break strong momentum; null = never, not listed = 1.',
  /** [B3] */
  heldConfidenceFromScores: 'A held secondary gets this turn’s score instead of 0.',
  /** [B4] */
  widenMinSignals: 'Score with which a secondary joins a strong single domain; null = never.',
  /** [B5] */
  defaultDomainYields: 'The default domain takes no part when another domain matches.',
  /** [B6] */
  keepPrimaryWhenResisting: 'A resisted turn keeps the primary in force.',
  /** [B7] */
  primaryDisabledStopsSecondary: 'A disabled primary means no enrichment at all.',
  /** [B8] */
  belowThresholdStopsSecondary: 'A held secondary without evidence gets no line this turn.',
  /** [B9] */
  injectSkipNotices: 'Skip notices go into the model’s context, not only to the log.',
  /** [B10] */
  tolerant: 'Missing configuration and null lists are empty; both nestings of a profile are read.',
  /** [B14] */
  stickyPrimary: 'The same signature keeps the primary in force.',
  /** [L2] */
  maxResistedTurns:
    'Resisted turns in a row after which the challenger is accepted; null = no limit.',
  /** [L3] */
  decayAfterTurns:
    'Turns without a signal of the compound after which momentum halves each turn; null = never.',
  /** [L4] */
  challengerWinsTies: 'An outside domain that ties with the best inside one breaks momentum.',
  /** [L5] */
  minSignals: 'Least matched signals for a domain to be primary; not listed = 1.',
  /** [L6] */
  antiSignals: 'Patterns that multiply the scores of the domains they name.',
  /** [B16] */
  maxChars: 'Most characters scored, half from the head and half from the tail; null = all.',
  /** [L7] */
  stripThinking: 'Leave out <think>…</think> before scoring.',
  /** [B25] */
  stripCodes: 'Leave out codes of the terminal (colours, cursor moves) before scoring.',
  /** [B26] */
  stripQuoted: 'Leave out quotations (> …), fenced blocks, pasted logs before scoring.',
  /** [L8] */
  classify:
    'Which texts are turns: the person’s, the agent’s when it goes on by itself, tool results.',
  /** [C5] */
  asciiBoundaries: 'Words end where ASCII ends, so that 请debug这个 matches \\bdebug\\b.',
  /** [B20] */
  abstainMargin:
    'A turn whose first domain leads the second by less, or ties with it, is marked ambiguous; null = never.',
}

/** Every option of the belief tracker. */
export const BELIEF_OPTIONS: OptionsTable<BeliefOptions> = optionsTable(recommendedOptions, HELP)

/**
 * The first replay step that reads an option: selecting turns, compiling signals, choosing the text to score, scoring
 * and ranking, applying momentum, or output. When the option changes, results of earlier steps stay valid and are not
 * recomputed.
 */
export type Stage = 'turns' | 'signals' | 'text' | 'score' | 'decide' | 'shown'

/** Options that are read before momentum, or after it; all others are read first at `decide`. */
const STAGES = {
  classify: 'turns',
  asciiBoundaries: 'signals',
  maxChars: 'text',
  stripThinking: 'text',
  stripCodes: 'text',
  stripQuoted: 'text',
  secondaryMinSignals: 'score',
  defaultDomain: 'score',
  defaultDomainYields: 'score',
  minSignals: 'score',
  antiSignals: 'score',
  abstainMargin: 'shown',
} as const satisfies Partial<Record<keyof BeliefOptions, Stage>>
const EARLY: ReadonlyMap<string, Stage> = new Map(Object.entries(STAGES))

type StageOf<K> = K extends keyof typeof STAGES ? (typeof STAGES)[K] : 'decide'

/** The options that are first read at a stage. */
export type OptionsOf<S extends Stage> = {
  readonly [K in keyof BeliefOptions as StageOf<K> extends S ? K : never]: BeliefOptions[K]
}

/** Is the option first read at this stage? */
export function isReadAt(stage: Stage, name: string): boolean {
  return (EARLY.get(name) ?? 'decide') === stage
}

/** Equal for options that agree in all that is first read at the stage. */
export function optionsKey<S extends Stage>(options: OptionsOf<S>, stage: S): string {
  const read = Object.entries(options).filter(([name]) => isReadAt(stage, name))
  return JSON.stringify(read.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Could a preset have this value? */
export function isValueOf(option: keyof BeliefOptions, value: unknown): boolean {
  return BeliefOptions.shape[option].safeParse(value).success
}
