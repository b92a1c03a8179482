import type { CoachRules, OutputType, Verdict, VerdictFlag } from '../schema/coach.ts'
import { findAll, type Coach, type Findings, type FoundCue } from './cues.ts'

/** How sure each rule is. Labelled outputs (fixtures/coach) say how often it is right. */
const CONFIDENCE = {
  blank: 0.95,
  blocker: 0.85,
  question: 0.9,
  gate: 0.95,
  promise: 0.9,
  narration: 0.9,
  error: 0.85,
  hedging: 0.9,
  unproven: 0.85,
  completion: 0.9,
  edited: 0.8,
  progress: 0.8,
  answer: 0.7,
  unknown: 0.5,
} as const

type Rule = keyof typeof CONFIDENCE
type Rejection = Exclude<keyof CoachRules['coaching'], 'empty'>

interface Decision {
  readonly rule: Rule
  readonly type: OutputType
  readonly reason: string
  readonly flags: readonly VerdictFlag[]
  readonly rejection: Rejection | null
  /** The cue that decided. */
  readonly by: FoundCue | null
}

/** What a question to the person looks like wherever it stands; other questions count at the end only. */
const DIRECT: ReadonlySet<string> = new Set(['asks-you', 'your-wish'])
/** Evidence that something was run or is in place; a path alone only says where. */
const PROOF: ReadonlySet<string> = new Set([
  'test_output',
  'command_output',
  'commit',
  'link',
  'diff',
  'figure',
])
const TEST_PROOF: ReadonlySet<string> = new Set(['test_output', 'command_output', 'link'])
/** Guesses about the result itself. */
const ABOUT_RESULT: ReadonlySet<string> = new Set(['should-work', 'seems-done'])
/** Edits that a named file is proof enough of: a reader can look. */
const EDITS =
  /\b(?:added|created|updated|removed|renamed|moved|deleted|wrote|written|documented|changed|configured|bumped|upgraded|made)\b/i

/** The findings, sorted for the rules. */
interface Case extends Findings {
  readonly of: (kind: FoundCue['kind']) => readonly FoundCue[]
  readonly last: number
  readonly has: (kinds: ReadonlySet<string>) => boolean
}

/**
 * [V5] The rules in their order; the first that knows the output decides, and what none of them
 * knows is a question for the person (L31).
 */
const RULES: ReadonlyArray<(found: Case) => Decision | null> = [
  nothingSaid,
  blocker,
  question,
  promise,
  narration,
  failure,
  completion,
  guess,
  progress,
  answer,
]

/** [V60] A word, a figure or a sign such as ✅: dots, dashes and characters without a shape are none. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{So}\p{Sm}\p{Sc}]/u

/** [V5] Judges an output without a model. */
export function classifyByRules(coach: Coach, text: string): Verdict {
  if (!SAYS_SOMETHING.test(text)) return blankVerdict(coach)
  const found = sorted(findAll(coach, text))
  let decision: Decision = unknown()
  for (const rule of RULES) {
    const made = rule(found)
    if (made === null) continue
    decision = made
    break
  }
  const { rejection, by, flags } = decision
  const marks = by === null ? found.evidence : [by.mark, ...found.evidence]
  return {
    type: decision.type,
    confidence: CONFIDENCE[decision.rule],
    reason: decision.reason,
    coaching_message: rejection === null ? null : coachingFor(coach, rejection, by),
    flags: [...flags],
    source: 'rules',
    marks,
  }
}

/**
 * [V60] Where there is not a single word there is nothing that a person could answer: the agent is asked
 * for its report. A rules file from before this text was known lets it go on as any status does.
 */
function blankVerdict({ rules }: Coach): Verdict {
  return {
    type: 'status',
    confidence: CONFIDENCE.blank,
    reason: 'the output is blank',
    coaching_message: rules.coaching.empty?.trim() ?? null,
    flags: ['empty'],
    source: 'rules',
    marks: [],
  }
}

const LONGEST_QUOTE = 120

/** [V8] The coaching of a rejection, with the words that gave rise to it. */
function coachingFor({ rules }: Coach, rejection: Rejection, by: FoundCue | null): string {
  const words = (by?.quote ?? '').replace(/\s+/g, ' ').replace(/[.!…]+$/, '')
  const quote = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE - 1)}…` : words
  // A function, so that `$&` in the quote stays what it is.
  return rules.coaching[rejection].trim().replaceAll('{quote}', () => quote)
}

function sorted(found: Findings): Case {
  const courteous = new Set(
    found.cues.filter((cue) => cue.kind === 'courtesy').map((cue) => cue.sentence),
  )
  const cues = found.cues.filter(
    (cue) => !courteous.has(cue.sentence) || !['question', 'gate', 'narration'].includes(cue.kind),
  )
  const last = found.sentences.findLastIndex((_, index) => !courteous.has(index))
  const kinds = new Set(found.evidence.map((mark) => mark.kind))
  return {
    ...found,
    cues,
    last,
    of: (kind) => cues.filter((cue) => cue.kind === kind),
    has: (wanted) => [...wanted].some((kind) => kinds.has(kind)),
  }
}

// Five facts of a decision, in the order of a table.
// eslint-disable-next-line max-params -- a row of a table
function decide(
  rule: Rule,
  type: OutputType,
  reason: string,
  by: FoundCue | null,
  rejection: Rejection | null = null,
): Decision {
  const flags: VerdictFlag[] = rejection === null ? [] : [rejection]
  return { rule, type, reason, flags, rejection, by }
}

/** Not blank, but all of it is shown: a fence or a quotation alone. */
function nothingSaid({ sentences, evidence }: Case): Decision | null {
  if (sentences.length > 0 || evidence.length > 0) return null
  const decision = decide('unknown', 'question', 'the output says nothing', null)
  return { ...decision, flags: ['empty'] }
}

function unknown(): Decision {
  const decision = decide('unknown', 'question', 'no rule recognises the output', null)
  return { ...decision, flags: ['unrecognised'] }
}

/** Whether a cue's sentence is followed by a claim, which settles what came before. */
function settled(found: Case, cue: FoundCue): boolean {
  return found.of('claim').some((claim) => claim.sentence > cue.sentence)
}

function blocker(found: Case): Decision | null {
  const by = found.of('blocker').find((cue) => !settled(found, cue))
  return by === undefined ? null : decide('blocker', 'blocker', 'says what stops the work', by)
}

function question(found: Case): Decision | null {
  const gate = found.of('gate').at(-1)
  if (gate !== undefined) {
    const decision = decide('gate', 'question', 'waits for a decision of the person', gate)
    return { ...decision, flags: ['approval_gate'] }
  }
  const asked = found
    .of('question')
    .findLast((cue) => DIRECT.has(cue.id) || cue.sentence === found.last)
  return asked === undefined ? null : decide('question', 'question', 'asks the person', asked)
}

function promise(found: Case): Decision | null {
  const [by] = found.of('promise')
  const acts = found.of('claim').length + found.of('act').length + found.of('test_claim').length
  if (by === undefined || acts > 0 || found.evidence.length > 0) return null
  return decide('promise', 'status', 'promises without doing', by, 'empty_promise')
}

/** Flagged `narration`, and so a gate, only where the output is nothing else. */
function narration(found: Case): Decision | null {
  const announced = found.of('narration')
  const by = announced.find((cue) => cue.sentence === found.last)
  if (by === undefined) return null
  const told = new Set([...announced, ...found.of('promise')].map((cue) => cue.sentence))
  const pure = found.evidence.length === 0 && found.sentences.every((_, index) => told.has(index))
  const decision = decide(
    'narration',
    'status',
    'announces a step instead of taking it',
    by,
    'narration',
  )
  return pure ? decision : { ...decision, flags: ['unfinished'] }
}

function failure(found: Case): Decision | null {
  const by = found.of('error').findLast((cue) => !settled(found, cue))
  return by === undefined ? null : decide('error', 'error', 'reports a failure that stands', by)
}

function completion(found: Case): Decision | null {
  const claims = found.of('claim')
  const tests = found.of('test_claim')
  const by = claims.at(0) ?? tests.at(0)
  if (by === undefined) return null
  const hedge = hedgeOf(found)
  if (hedge !== undefined) {
    return decide('hedging', 'status', 'claims, but only guesses that it works', hedge, 'hedging')
  }
  const [tested] = tests
  if (tested !== undefined && !found.has(TEST_PROOF)) {
    return decide('unproven', 'status', 'tests claimed, no output', tested, 'no_test_output')
  }
  if (found.of('progress').some((cue) => cue.sentence === found.last)) return progress(found)
  if (found.has(PROOF)) return decide('completion', 'completion', 'claims, and shows proof', by)
  const editsOnly = claims.every((claim) => EDITS.test(claim.quote))
  if (
    (editsOnly && found.has(new Set(['path']))) ||
    claims.some((claim) => namesFile(found, claim))
  ) {
    return decide('edited', 'completion', 'names the files that it changed', by)
  }
  return decide('unproven', 'status', 'claims without proof', by, 'no_evidence')
}

/** Whether a sentence says that a file was changed, and names it. */
function namesFile({ sentences, evidence }: Case, claim: FoundCue): boolean {
  const place = sentences[claim.sentence]
  if (place === undefined || !EDITS.test(place.text)) return false
  return evidence.some(
    ({ kind, span }) => kind === 'path' && span[0] >= place.start && span[1] <= place.end,
  )
}

/** A guess about the result; one in passing does not weigh against proof. */
function hedgeOf(found: Case): FoundCue | undefined {
  const claimed = new Set(
    [...found.of('claim'), ...found.of('test_claim')].map((cue) => cue.sentence),
  )
  return found
    .of('hedge')
    .find((cue) => ABOUT_RESULT.has(cue.id) || claimed.has(cue.sentence) || !found.has(PROOF))
}

function guess(found: Case): Decision | null {
  const by = found.of('hedge').find((cue) => ABOUT_RESULT.has(cue.id))
  if (by === undefined) return null
  return decide('hedging', 'status', 'guesses that it works', by, 'hedging')
}

function progress(found: Case): Decision | null {
  const by = found.of('progress').at(-1)
  if (by === undefined) return null
  return { ...decide('progress', 'status', 'reports unfinished work', by), flags: ['unfinished'] }
}

/** Explains and claims nothing: an answer to the person, which passes. Never sure of it. */
function answer(found: Case): Decision | null {
  const [by] = found.of('answer')
  const other = ['promise', 'narration', 'hedge'] as const
  if (by === undefined || other.some((kind) => found.of(kind).length > 0)) return null
  return decide('answer', 'completion', 'explains, and claims nothing', by)
}
