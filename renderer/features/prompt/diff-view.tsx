import type { DiffPart } from '../../../core/engine/schema/answer-columns.ts'
import { count, counted } from '../../ui/format.ts'
import { Block, Section, useFold } from '../../ui/parts.tsx'
import { diffCounts, foldDiff } from './fold-diff.ts'

interface Props {
  readonly title: string
  readonly parts: readonly DiffPart[]
  /** What is said when both texts are the same. */
  readonly same: string
}

/** Two prompts as one text: what came is underlined, what went is struck out. */
export function DiffView({ title, parts, same }: Props) {
  const [whole, fold] = useFold('Hide equal lines', 'Show equal lines')
  const { added, removed } = diffCounts(parts)
  if (added === 0 && removed === 0)
    return (
      <Section title={title}>
        <p>{same}</p>
      </Section>
    )
  const folded = foldDiff(parts)
  const gaps = folded.some(({ op }) => op === 'gap')
  return (
    <Section
      title={title}
      aside={
        <span className="num">
          +{count(added)} −{count(removed)} characters
        </span>
      }
    >
      <Block label={title} className="diff">
        {(whole ? parts : folded).map((part, at) => (
          <Piece key={at} part={part} />
        ))}
      </Block>
      {gaps && fold}
    </Section>
  )
}

function Piece({ part }: { readonly part: ReturnType<typeof foldDiff>[number] }) {
  switch (part.op) {
    case 'added':
      return <ins>{part.text}</ins>
    case 'removed':
      return <del>{part.text}</del>
    case 'gap':
      return <span className="diff-gap on-panel2 quiet">{counted(part.lines, 'equal line')}</span>
    case 'same':
      return part.text
  }
}
