import type { DiffPart } from '../../../core/engine/schema/answer-columns.ts'

/** A piece of a folded comparison; `gap` stands for lines that are the same. */
export type Folded =
  | { readonly op: DiffPart['op']; readonly text: string }
  | { readonly op: 'gap'; readonly lines: number; readonly text: string }

/** Lines kept on either side of a change. */
const AROUND = 2

/** Replaces long stretches of equal lines by gaps; put together again, texts are what they were. */
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

/** How many characters came and went. */
export function diffCounts(parts: readonly DiffPart[]): { added: number; removed: number } {
  const of = (op: DiffPart['op']) =>
    parts.reduce((sum, part) => sum + (part.op === op ? part.text.length : 0), 0)
  return { added: of('added'), removed: of('removed') }
}
