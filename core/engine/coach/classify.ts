import type { CoachRules, CueKind, Verdict } from '../schema/coach.ts'
import type { ActRuleId, ActsTrace, SentenceAct } from '../schema/coach-acts.ts'
import { messageOf } from './acts/message.ts'
import { type ReadSentence, readActs } from './acts/read.ts'
import { type ActRule, type Rejection, RULES } from './acts/rules.ts'
import { type Coach, type Findings, findAll } from './cues.ts'

/** [V60] A word, a figure or a sign such as ✅: dots, dashes and characters without a shape are none. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{So}\p{Sm}\p{Sc}]/u

const BLANK_CONFIDENCE = 0.95
const UNKNOWN_CONFIDENCE = 0.5

/**
 * [V5] Judges an output without a model: acts of its sentences (V70), then the rules over acts (V73). An output that no
 * rule matches, or that the rules are not sure of, goes to the user as a question (L31, L32).
 * @param asked the user message before it; null if unknown (V78)
 */
export function classifyByRules(coach: Coach, text: string, asked: string | null = null): Verdict {
  if (!SAYS_SOMETHING.test(text)) return blankVerdict(coach)
  const found = findAll(coach, text)
  const sentences = readActs(text, found)
  const { rules } = coach
  const message = messageOf(text, sentences, { asked, claims: rules.claims })
  for (const rule of RULES) {
    const by = rule.when(message)
    if (by !== null) return settle({ rules, found, sentences }, rule, by)
  }
  return unknownVerdict(found, sentences)
}

interface Judging {
  readonly rules: CoachRules
  readonly found: Findings
  readonly sentences: readonly ReadSentence[]
}

function settle({ rules, found, sentences }: Judging, rule: ActRule, by: readonly number[]) {
  const { id, type, confidence, reason, rejection } = rule
  const trace = traceOf(id, by, sentences)
  const decided = by.flatMap((at) => sentences[at] ?? [])
  const marks = marksOf(found, id, decided)
  const verdict = { confidence, reason, source: 'rules' as const, marks, acts: trace }
  // [V80] Not confident enough to decide for the user.
  if (confidence < rules.minConfidence)
    return {
      ...verdict,
      type: 'question' as const,
      coaching_message: null,
      flags: ['low_confidence' as const],
    }
  const flag = id === 'announced' ? announcedFlag(sentences) : rule.flag
  return {
    ...verdict,
    type,
    coaching_message: rejection === undefined ? null : coachingFor(rules, rejection, decided[0]),
    flags: flag === undefined ? [] : [flag],
  }
}

/** Flagged `narration`, which makes it a gate (V10), only if the output contains nothing else. */
function announcedFlag(sentences: readonly ReadSentence[]) {
  const isTold = ({ act, how, proofs }: ReadSentence): boolean =>
    (act === 'narration' || act === 'courtesy' || how === 'promise') && proofs.length === 0
  return sentences.every(isTold) ? 'narration' : 'unfinished'
}

const MOST_SENTENCES = 400

function traceOf(
  rule: ActRuleId,
  by: readonly number[],
  sentences: readonly ReadSentence[],
): ActsTrace {
  const shown = sentences.slice(0, MOST_SENTENCES)
  return {
    rule,
    by: by.filter((at) => at < shown.length),
    sentences: shown.map(
      ({ cues: _, text: __, command: ___, ...sentence }): SentenceAct => sentence,
    ),
    more: sentences.length - shown.length,
  }
}

/** The cue kind that a rule looks for when another cue set the act of its sentence. */
const KIND_OF_RULE: Readonly<Partial<Record<ActRuleId, CueKind>>> = {
  guessed: 'hedge',
  tests: 'test_claim',
  announced: 'narration',
}

/** The words that the rule went by, and all evidence. */
function marksOf({ cues, evidence }: Findings, rule: ActRuleId, by: readonly ReadSentence[]) {
  const [first] = by
  const wanted = KIND_OF_RULE[rule]
  const own = first?.cues.find(({ kind, id }) =>
    wanted === undefined ? id === first.cue : kind === wanted,
  )
  const decided = own ?? cues.find((cue) => by.some((one) => one.cues.includes(cue)))
  return decided === undefined ? evidence : [decided.mark, ...evidence]
}

/**
 * [V60] An output without a single word leaves the user nothing to answer, so the agent is asked for its report. With a
 * rules file that predates this text, the agent continues as after any other status.
 */
function blankVerdict({ rules }: Coach): Verdict {
  return {
    type: 'status',
    confidence: BLANK_CONFIDENCE,
    reason: 'the output is blank',
    coaching_message: rules.coaching.empty?.trim() ?? null,
    flags: ['empty'],
    source: 'rules',
    marks: [],
    acts: traceOf('blank', [], []),
  }
}

/** Not blank, but consists only of shown material (a fence or a quotation), or matches no rule. */
function unknownVerdict(found: Findings, sentences: readonly ReadSentence[]): Verdict {
  const isSilent = sentences.length === 0 && found.evidence.length === 0
  return {
    type: 'question',
    confidence: UNKNOWN_CONFIDENCE,
    reason: isSilent ? 'the output says nothing' : 'no rule recognises the output',
    coaching_message: null,
    flags: [isSilent ? 'empty' : 'unrecognised'],
    source: 'rules',
    marks: found.evidence,
    acts: traceOf(isSilent ? 'nothing_said' : 'unknown', [], sentences),
  }
}

const LONGEST_QUOTE = 120

/** [V8] The coaching of a rejection, with the words that gave rise to it. */
function coachingFor(
  { coaching }: CoachRules,
  rejection: Rejection,
  by: ReadSentence | undefined,
): string | null {
  const quoted = rejection === 'contradicted' ? scopeOf(by) : null
  const said = quoted ?? by?.text.trim().replace(/^[\s*#>-]+/, '') ?? ''
  const words = said.replace(/\s+/g, ' ').replace(/[.!…]+$/, '')
  const quote = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE - 1)}…` : words
  // A replacer function, so that `$&` in the quote is kept literally.
  return coaching[rejection]?.trim().replaceAll('{quote}', () => quote) ?? null
}

/** The figures that fail, in their own words. */
function scopeOf(by: ReadSentence | undefined): string | null {
  const failing = by?.proofs.find(({ sign }) => sign === 'against')
  return failing?.scope ?? null
}
