import type { CoachRules, OutputType, VerdictFlag } from '../../schema/coach.ts'
import type { ActRuleId } from '../../schema/coach-acts.ts'
import type { Places } from './look.ts'
import * as look from './look.ts'
import type { Message } from './message.ts'
import type { ReadSentence } from './read.ts'
import { DIRECT, SHOWS, SHOWS_TESTS } from './table.ts'

export type Rejection = Exclude<keyof CoachRules['coaching'], 'empty'>

/** A rule over acts: the first of the table that finds its sentences decides. */
export interface ActRule {
  readonly id: ActRuleId
  readonly type: OutputType
  /** Below `minConfidence` the output goes to the user as a question (L31, L32). */
  readonly confidence: number
  /** For the people who tune. */
  readonly reason: string
  readonly flag?: VerdictFlag
  readonly rejection?: Rejection
  /** The sentences that the rule relies on; null if the rule does not apply to the output. */
  readonly when: (message: Message) => Places | null
}

/** With fewer particulars than this, a claim counts as a passing mention. */
const FEW = 3
/** So many claims are an account of the work. */
const ACCOUNT = 3
/** An output of so few sentences says all that it has to say in any of them. */
const SHORT = 4
/** With fewer informative sentences than this, nothing has been delivered yet, so an offer requests the go-ahead. */
const DELIVERED = 3

const isClaim = ({ act }: ReadSentence): boolean => act === 'claim'
const isGuess = (one: ReadSentence): boolean => isClaim(one) && one.guessed
const isAnnounced = ({ cues }: ReadSentence): boolean =>
  cues.some(({ kind }) => kind === 'narration')
const isPromise = ({ how }: ReadSentence): boolean => how === 'promise'
const isTestClaim = ({ act, cues }: ReadSentence): boolean =>
  act === 'claim' && cues.some(({ kind }) => kind === 'test_claim')

/** [V73] The rules over acts, in their order. */
export const RULES: readonly ActRule[] = [
  {
    id: 'blocked',
    type: 'blocker',
    confidence: 0.85,
    reason: 'says what stops the work',
    when: (message) => look.standing(message, 'blocker'),
  },
  {
    id: 'gate',
    type: 'question',
    confidence: 0.95,
    reason: 'waits for a decision of the person',
    flag: 'approval_gate',
    when: (message) => look.requested(message, 'gate'),
  },
  {
    id: 'question',
    type: 'question',
    confidence: 0.9,
    reason: 'asks the person',
    when: question,
  },
  {
    id: 'offer',
    type: 'question',
    confidence: 0.85,
    reason: 'offers to do it, and nothing was delivered yet',
    when: offer,
  },
  {
    id: 'waits',
    type: 'status',
    confidence: 0.85,
    reason: 'something is still running',
    flag: 'unfinished',
    when: (message) => look.ending(message, ({ how }) => how === 'wait'),
  },
  {
    id: 'promise',
    type: 'status',
    confidence: 0.9,
    reason: 'promises without doing',
    flag: 'empty_promise',
    rejection: 'empty_promise',
    when: promise,
  },
  {
    id: 'announced',
    type: 'status',
    confidence: 0.9,
    reason: 'announces a step instead of taking it',
    rejection: 'narration',
    when: announced,
  },
  {
    id: 'open_end',
    type: 'status',
    confidence: 0.9,
    reason: 'ends where something was to follow',
    flag: 'unfinished',
    rejection: 'narration',
    when: ({ end, last }) => ((end === 'open' || end === 'cut') && last >= 0 ? [last] : null),
  },
  {
    id: 'failed',
    type: 'error',
    confidence: 0.85,
    reason: 'reports a failure that stands',
    when: (message) => look.standing(message, 'error'),
  },
  {
    id: 'contradicted',
    type: 'status',
    confidence: 0.9,
    reason: 'claims, and its own figures say that some failed',
    flag: 'contradicted',
    rejection: 'contradicted',
    when: (message) => (message.sentences.some(isClaim) ? look.signed(message, 'against') : null),
  },
  {
    id: 'reported',
    type: 'completion',
    confidence: 0.8,
    reason: 'was asked for figures, and reports failing ones',
    when: (message) => (message.asked === true ? look.signed(message, 'against') : null),
  },
  {
    id: 'red',
    type: 'error',
    confidence: 0.8,
    reason: 'its figures say that some failed',
    when: (message) => look.signed(message, 'against'),
  },
  {
    id: 'part',
    type: 'status',
    confidence: 0.85,
    reason: 'its figures say that a part is left',
    flag: 'unfinished',
    when: (message) => look.signed(message, 'part'),
  },
  {
    id: 'guessed',
    type: 'status',
    confidence: 0.9,
    reason: 'claims, but only guesses that it works',
    flag: 'hedging',
    rejection: 'hedging',
    when: guessed,
  },
  {
    id: 'tests',
    type: 'status',
    confidence: 0.85,
    reason: 'tests claimed, no output',
    flag: 'no_test_output',
    rejection: 'no_test_output',
    when: tests,
  },
  {
    id: 'left',
    type: 'status',
    confidence: 0.8,
    reason: 'reports unfinished work',
    flag: 'unfinished',
    when: left,
  },
  {
    id: 'proven',
    type: 'completion',
    confidence: 0.9,
    reason: 'claims, and shows proof',
    when: (message) =>
      look.proves(message, SHOWS) ? look.found(look.places(message, look.isDone)) : null,
  },
  {
    id: 'told',
    type: 'completion',
    confidence: 0.8,
    reason: 'claims, and names what a reader can look up',
    when: told,
  },
  {
    id: 'bare',
    type: 'status',
    confidence: 0.85,
    reason: 'claims without proof',
    flag: 'no_evidence',
    rejection: 'no_evidence',
    when: (message) => look.found(look.places(message, isClaim)),
  },
  {
    id: 'answered',
    type: 'completion',
    confidence: 0.8,
    reason: 'answers what the person said, and claims nothing',
    when: answered,
  },
]

/** A direct question anywhere; any other only where nothing but requests and plans follows it. */
function question(message: Message): Places | null {
  return look.found(
    look.places(
      message,
      ({ how, cue }, at) =>
        how === 'question' && (DIRECT.has(cue ?? '') || look.closes(message, at)),
    ),
  )
}

function offer(message: Message): Places | null {
  const isDelivered = look.substance(message) >= DELIVERED || message.sentences.some(look.isDone)
  return isDelivered ? null : look.requested(message, 'offer')
}

/** Nothing but promises: no claim, no act, no evidence, and hardly anything else is said. */
function promise(message: Message): Places | null {
  const hasActs = message.sentences.some(
    (one) => look.isDone(one) || one.how === 'act' || one.proofs.length > 0,
  )
  const isShort = message.said.length <= SHORT
  const isEnd = look.ending(message, isPromise) !== null
  return isShort && isEnd && !hasActs ? look.places(message, isPromise) : null
}

/**
 * The announcement at the end. In an output of fewer than `SHORT` sentences, announcements anywhere count if it
 * contains no claim or request and the user did not ask for words.
 */
function announced(message: Message): Places | null {
  if (message.end === 'shown') return null
  const atEnd = look.ending(message, isAnnounced)
  const isLong = message.said.length > SHORT - 1
  if (atEnd !== null || isLong || message.asked === true) return atEnd
  const isDone = message.sentences.some(look.isDone)
  const hasRequest = message.sentences.some(({ act }) => act === 'request')
  return isDone || hasRequest ? null : look.found(look.places(message, isAnnounced))
}

function guessed(message: Message): Places | null {
  const isShown = look.proves(message, SHOWS)
  const isTold = message.claims === 'told' && (isShown || message.particulars >= FEW)
  return isTold ? null : look.found(look.places(message, isGuess))
}

function tests(message: Message): Places | null {
  if (look.proves(message, SHOWS_TESTS)) return null
  const claimed = look.places(message, isTestClaim)
  const isRun = claimed.some((at) => message.sentences[at]?.command === true)
  const isTold = message.claims === 'told' && (isRun || message.particulars >= FEW)
  return isTold ? null : look.found(claimed)
}

/**
 * Work left at the end. In a short output, remaining work anywhere counts, and so do next steps if nothing is claimed.
 */
function left(message: Message): Places | null {
  const atEnd = look.ending(message, ({ how }) => how === 'progress')
  if (atEnd !== null || message.said.length > SHORT) return atEnd
  const isClaimed = message.sentences.some(look.isDone)
  return look.found(
    look.places(message, ({ how }) => how === 'progress' || (how === 'ahead' && !isClaimed)),
  )
}

function told(message: Message): Places | null {
  const claims = look.places(message, isClaim)
  const hasPath = message.sentences.some(({ proofs }) => proofs.some(({ kind }) => kind === 'path'))
  if (message.claims === 'shown') return hasPath ? look.found(claims) : null
  const isNamed =
    message.particulars > 0 || claims.some((at) => (message.sentences[at]?.particulars ?? 0) > 0)
  return isNamed || claims.length >= ACCOUNT ? look.found(claims) : null
}

/** Unless the user asked for words, one bare sentence does not count as an answer. */
function answered(message: Message): Places | null {
  const explains = look.places(message, ({ how }) => how === 'answer')
  if (message.asked !== true && explains.length === 0 && !isSubstantial(message)) return null
  return look.found(look.places(message, ({ act }) => act === 'deliverable'))
}

function isSubstantial(message: Message): boolean {
  const sentences = look.substance(message)
  return sentences >= 2 || (message.asked === false && sentences > 0 && message.particulars > 0)
}
