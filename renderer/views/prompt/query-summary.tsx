import type { QueryClassification } from '../../../core/engine/schema/query.ts'
import { Chip, Fact } from '../../ui/parts.tsx'
import { DECIDED_BY, QUERY_WORDS } from '../self-signals/answer-words.ts'

interface Props {
  readonly query: QueryClassification
}

/** Type, confidence, and the words that decided. */
export function QueryTitle({ query }: Props) {
  return (
    <>
      <h2 className="verdict-title">
        <span
          className="query-mark no-shrink"
          style={{ background: `var(--query-${query.type})` }}
          aria-hidden
        />
        <span className="truncate">{query.type}</span>
        <span className="verdict-plus num" title="Confidence, 0 to 1">
          {query.confidence.toFixed(2)}
        </span>
      </h2>
      <p className="verdict-reason">
        This message {article(QUERY_WORDS[query.type])}. {DECIDED_BY[query.by]}
      </p>
    </>
  )
}

function article(words: string): string {
  return words.startsWith('about') ? `is ${words}` : words
}

const SOURCES = [
  ['needsCode', 'code'],
  ['needsVault', 'documents'],
  ['needsWeb', 'web'],
] as const

/** Matched keywords, the required sources, and the points of every type. */
export function QueryFacts({ query }: Props) {
  const scores = query.scores === null ? [] : Object.entries(query.scores)
  const needs = SOURCES.filter(([field]) => query[field]).map(([, word]) => word)
  return (
    <dl className="segment-facts query-facts">
      <Fact name="keywords">
        {query.keywords.length === 0 && <span className="quiet">none matched</span>}
        {query.keywords.map((word) => (
          <Chip key={word}>{word}</Chip>
        ))}
      </Fact>
      <Fact name="needs">
        {needs.length === 0 ? <span className="quiet">no search</span> : needs.join(', ')}
      </Fact>
      {scores.length > 0 && (
        <Fact name="points" look="num">
          {scores
            .toSorted(([, a], [, b]) => b - a)
            .map(([type, points]) => `${type} ${points}`)
            .join(' · ')}
        </Fact>
      )}
      {query.question && <Fact name="question">yes</Fact>}
    </dl>
  )
}
