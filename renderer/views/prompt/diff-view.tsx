import type { DiffPart } from '../../../core/engine/schema/answer-columns.ts'
import { count, counted } from '../../ui/format.ts'
import { Block, Section, useFold } from '../../ui/parts.tsx'

/** A piece of a folded comparison; `gap` replaces equal lines. */
type Folded =
  | { readonly op: DiffPart['op']; readonly text: string }
  | { readonly op: 'gap'; readonly lines: number; readonly text: string }

/** Lines kept on either side of a change. */
const AROUND = 2

/** Replaces long runs of equal lines by gaps. The parts still join to the original texts. */
export function foldDiff(parts: readonly DiffPart[]): readonly Folded[] {
  return parts.flatMap((part, at): readonly Folded[] => {
    if (part.op !== 'same') return [part]
    const lines = part.text.split(/(?<=\n)/u)
    const head = at === 0 ? 0 : AROUND
    const tail = at === parts.length - 1 ? 0 : AROUND
    const hidden = lines.length - head - tail
    if (hidden < 3) return [part]
    const pieces: Folded[] = [
      { op: 'same', text: lines.slice(0, head).join('') },
      { op: 'gap', lines: hidden, text: lines.slice(head, head + hidden).join('') },
      { op: 'same', text: lines.slice(head + hidden).join('') },
    ]
    return pieces.filter(({ text }) => text !== '')
  })
}

/** Number of characters that were added, and number removed. */
export function diffCounts(parts: readonly DiffPart[]): { added: number; removed: number } {
  const of = (op: DiffPart['op']) =>
    parts.reduce((sum, part) => sum + (part.op === op ? part.text.length : 0), 0)
  return { added: of('added'), removed: of('removed') }
}

interface Props {
  readonly title: string
  readonly parts: readonly DiffPart[]
  /** Text shown if both sides are equal. */
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
