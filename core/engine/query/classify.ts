import { codePoints, pySplit, pyStrip } from '../python-text.ts'
import type { QueryClassification, QueryOptions, QueryType } from '../schema/query.ts'
import { FOLLOWUP_WORDS, QUERY_NEEDS, QUESTION_STARTERS } from './keywords.ts'
import { isImperative, scoreAll, type Score } from './match.ts'

/** [Q9] Below this many code points a message is conversational. */
const SHORT_QUERY = 5
/** [Q8] Below this many code points a message without a match is a follow-up. */
const SHORT_FOLLOWUP = 20

type Extra = Partial<Pick<QueryClassification, 'scores' | 'question' | 'by'>>

/** A classification of a type with the context needs that belong to it (`from_type`). */
export function classificationOf(
  type: QueryType,
  confidence = 1,
  keywords: readonly string[] = [],
  extra: Extra = {},
): QueryClassification {
  return {
    type,
    confidence,
    keywords,
    ...QUERY_NEEDS[type],
    scores: extra.scores ?? null,
    question: extra.question ?? false,
    by: extra.by ?? 'score',
  }
}

/** Confidence of a score and a number of keywords (T008). Same doubles as Python's arithmetic. */
export function confidenceOf(points: number, keywords: number): number {
  if (points === 0) return 0.4
  const base = Math.min(0.9, 0.5 + points * 0.1)
  if (keywords >= 3) return Math.min(1, base + 0.1)
  return keywords === 2 ? Math.min(1, base + 0.05) : base
}

function isQuestion(text: string, words: readonly string[]): boolean {
  return text.endsWith('?') || QUESTION_STARTERS.has(words[0] ?? '')
}

function isFollowup(text: string, words: readonly string[]): boolean {
  return codePoints(text) < SHORT_FOLLOWUP || words.some((word) => FOLLOWUP_WORDS.has(word))
}

interface Best {
  readonly type: QueryType
  readonly score: Score
  readonly by: QueryClassification['by']
}

function chooseBest(
  text: string,
  scores: ReadonlyArray<readonly [QueryType, Score]>,
  options: QueryOptions,
): Best {
  let best: Best = { type: 'conversational', score: { points: 0, keywords: [] }, by: 'none' }
  for (const [type, score] of scores)
    if (score.points > best.score.points) best = { type, score, by: 'score' }
  const action = scores.find(([type]) => type === 'action')?.[1]
  const tied = action !== undefined && action.points > 0 && action.points === best.score.points
  if (!options.leadingImperative || !tied || best.type === 'action' || !isImperative(text))
    return best
  return { type: 'action', score: action, by: 'leading_imperative' }
}

/**
 * Classifies a message of the user (oracle-agent T008; Q1 to Q9).
 * @param context the previous message; only its presence counts (Q8).
 */
export function classifyQuery(
  query: string | null,
  context: string | null,
  options: QueryOptions,
): QueryClassification {
  const text = pyStrip((query ?? '').toLowerCase())
  if (query === null || query === '' || (options.blankIsEmpty && text === ''))
    return classificationOf('conversational', 0.5, [], { by: 'empty' })
  if (codePoints(text) < SHORT_QUERY)
    return classificationOf('conversational', 0.8, ['short_query'], { by: 'short' })
  const scored = scoreAll(text, options.wholeWords)
  const best = chooseBest(text, scored, options)
  const scores = Object.fromEntries(scored.map(([type, score]) => [type, score.points])) as Record<
    QueryType,
    number
  > // SCORE_ORDER names every type
  const words = pySplit(text)
  const question = isQuestion(text, words)
  const { points } = best.score
  if (points === 0 && context !== null && context !== '' && isFollowup(text, words)) {
    const extra = { scores, question, by: 'followup' } as const
    return classificationOf('conversational', 0.7, ['followup_detected'], extra)
  }
  const boost = question && !(options.noBoostWithoutMatch && points === 0)
  const base = confidenceOf(points, best.score.keywords.length)
  const confidence = boost ? Math.min(1, base + 0.1) : base
  return classificationOf(best.type, confidence, best.score.keywords, {
    scores,
    question,
    by: best.by,
  })
}
