import { BeliefOptions } from '../schema/preset.ts'

/**
 * The first step of a replay that reads an option: which texts are turns, how signals are compiled,
 * what of a text is scored, scores and ranking, what momentum makes of them. What an earlier step
 * found stays true when the option changes, and is not computed again.
 */
export type Stage = 'turns' | 'signals' | 'text' | 'score' | 'decide'

/** One option: what it does by default, in the document's code, and in a line of help. */
export interface OptionInfo<T> {
  /** Preset `recommended`. */
  readonly recommended: T
  /** Preset `literal`: the document's code, bugs included. */
  readonly literal: T
  readonly stage: Stage
  readonly help: string
  /** Rule of core/SPEC.md that the option belongs to. */
  readonly rule: string
}

type OptionTable = { readonly [K in keyof BeliefOptions]: OptionInfo<BeliefOptions[K]> }

const TABLE = {
  momentumThreshold: {
    recommended: 3,
    literal: 3,
    stage: 'decide',
    rule: 'M2',
    help: 'Turns with one signature from which momentum is strong.',
  },
  secondaryMinSignals: {
    recommended: 1,
    literal: 1,
    stage: 'score',
    rule: 'C4',
    help: 'Least score of a secondary domain.',
  },
  defaultDomain: {
    recommended: 'conversation',
    literal: 'conversation',
    stage: 'score',
    rule: 'C3',
    help: 'Primary of a turn on which nothing matches.',
  },
  breakMinSignals: {
    recommended: {
      file_ops: null,
      git_ops: null,
      config_edit: null,
      conversation: null,
      system_admin: 2,
    },
    literal: null,
    stage: 'decide',
    rule: 'B1',
    help: 'Least score with which a domain may break strong momentum; null = never, not listed = 1.',
  },
  heldConfidenceFromScores: {
    recommended: true,
    literal: false,
    stage: 'decide',
    rule: 'B3',
    help: 'A held secondary gets this turn’s score instead of 0.',
  },
  widenMinSignals: {
    recommended: 2,
    literal: null,
    stage: 'decide',
    rule: 'B4',
    help: 'Score with which a secondary joins a strong single domain; null = never.',
  },
  defaultDomainYields: {
    recommended: true,
    literal: false,
    stage: 'score',
    rule: 'B5',
    help: 'The default domain takes no part when another domain matches.',
  },
  keepPrimaryWhenResisting: {
    recommended: true,
    literal: false,
    stage: 'decide',
    rule: 'B6',
    help: 'A resisted turn keeps the primary in force.',
  },
  primaryDisabledStopsSecondary: {
    recommended: true,
    literal: false,
    stage: 'decide',
    rule: 'B7',
    help: 'A disabled primary means no enrichment at all.',
  },
  belowThresholdStopsSecondary: {
    recommended: true,
    literal: false,
    stage: 'decide',
    rule: 'B8',
    help: 'A held secondary without evidence gets no line this turn.',
  },
  injectSkipNotices: {
    recommended: false,
    literal: true,
    stage: 'decide',
    rule: 'B9',
    help: 'Skip notices go into the model’s context, not only to the log.',
  },
  tolerant: {
    recommended: true,
    literal: false,
    stage: 'decide',
    rule: 'B10',
    help: 'Missing configuration and null lists are empty; both nestings of a profile are read.',
  },
  stickyPrimary: {
    recommended: false,
    literal: false,
    stage: 'decide',
    rule: 'B14',
    help: 'The same signature keeps the primary in force.',
  },
  maxResistedTurns: {
    recommended: null,
    literal: null,
    stage: 'decide',
    rule: 'L2',
    help: 'Resisted turns in a row after which the challenger is accepted; null = no limit.',
  },
  decayAfterTurns: {
    recommended: null,
    literal: null,
    stage: 'decide',
    rule: 'L3',
    help: 'Turns without a signal of the compound after which momentum halves each turn; null = never.',
  },
  challengerWinsTies: {
    recommended: false,
    literal: false,
    stage: 'decide',
    rule: 'L4',
    help: 'An outside domain that ties with the best inside one breaks momentum.',
  },
  minSignals: {
    recommended: {},
    literal: {},
    stage: 'score',
    rule: 'L5',
    help: 'Least matched signals for a domain to take part; not listed = 1.',
  },
  antiSignals: {
    recommended: [],
    literal: [],
    stage: 'score',
    rule: 'L6',
    help: 'Patterns that multiply the scores of the domains they name.',
  },
  maxChars: {
    recommended: 32_768,
    literal: null,
    stage: 'text',
    rule: 'B16',
    help: 'Most characters scored, half from the head and half from the tail; null = all.',
  },
  stripThinking: {
    recommended: false,
    literal: false,
    stage: 'text',
    rule: 'L7',
    help: 'Leave out <think>…</think> before scoring.',
  },
  classify: {
    recommended: { user: true, agent: false, tool: true },
    literal: { user: true, agent: false, tool: true },
    stage: 'turns',
    rule: 'L8',
    help: 'Which texts are turns: the person’s, the agent’s when it goes on by itself, tool results.',
  },
  asciiBoundaries: {
    recommended: false,
    literal: false,
    stage: 'signals',
    rule: 'C5',
    help: 'Words end where ASCII ends, so that 请debug这个 matches \\bdebug\\b.',
  },
} as const satisfies OptionTable

/** Every option of the belief tracker. */
export const BELIEF_OPTIONS: OptionTable = TABLE

type NameOf<S extends Stage> = {
  [K in keyof typeof TABLE]: (typeof TABLE)[K]['stage'] extends S ? K : never
}[keyof typeof TABLE]

/** The options that are first read at a stage. */
export type OptionsOf<S extends Stage> = Pick<BeliefOptions, NameOf<S>>

const STAGES: ReadonlyMap<string, Stage> = new Map(
  Object.entries(TABLE).map(([name, { stage }]) => [name, stage]),
)

/** Is the option first read at this stage? */
export function isReadAt(stage: Stage, name: string): boolean {
  return STAGES.get(name) === stage
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

function pick(column: 'recommended' | 'literal'): BeliefOptions {
  const entries = Object.entries(TABLE).map(([name, row]) => [name, row[column]])
  // The table has exactly the options' keys, which its mapped type checks.
  return Object.fromEntries(entries) as BeliefOptions
}

/** Values of preset `recommended`. */
export const recommendedOptions: BeliefOptions = pick('recommended')

/** Values of preset `literal`. */
export const literalOptions: BeliefOptions = pick('literal')
