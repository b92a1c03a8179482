import type { TurnTrace } from '../engine/schema/trace.ts'
import { styled } from './output.ts'

interface Cell {
  readonly title: string
  /** Least width; the last column takes what is left. */
  readonly width: number
  readonly right?: boolean
  readonly of: (trace: TurnTrace) => string
}

/** Columns of `replay`, in order. Widths are those of ordinary sessions; longer values push on. */
const COLUMNS: readonly Cell[] = [
  { title: 'turn', width: 5, right: true, of: (t) => String(t.turn + 1) },
  { title: 'kind', width: 11, of: (t) => t.kind },
  { title: 'primary + secondary', width: 30, of: pair },
  { title: 'scores', width: 7, of: scores },
  { title: 'signature', width: 26, of: (t) => t.signature },
  { title: 'mom', width: 4, right: true, of: (t) => String(t.momentum.after.momentum) },
  { title: 'event', width: 7, of: (t) => t.momentum.event },
  { title: 'rule', width: 5, of: (t) => t.momentum.rule },
  { title: 'text', width: 20, of: (t) => firstWords(t.text) },
]

function pair(trace: TurnTrace): string {
  const { primary, secondary } = trace
  return secondary === null ? primary.domain : `${primary.domain} + ${secondary.domain}`
}

function scores(trace: TurnTrace): string {
  const { primary, secondary } = trace
  const first = String(primary.confidence)
  return secondary === null ? first : `${first} + ${secondary.confidence}`
}

/** The beginning of a text on one line. */
export function firstWords(text: string, most = 200): string {
  const line = text.slice(0, most * 2).replace(/\s+/gu, ' ')
  // Control characters of a transcript must not reach the terminal.
  return line
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, most)
}

/** The heading of the table. */
export function tableHead(width: number): string {
  return styled(
    'dim',
    layOut(
      COLUMNS.map((column) => column.title),
      width,
    ),
  )
}

/** One turn as a line of the table; breaks and resisted turns stand out. */
export function tableRow(trace: TurnTrace, width: number): string {
  const line = layOut(
    COLUMNS.map((column) => column.of(trace)),
    width,
  )
  const { event } = trace.momentum
  if (event === 'break') return styled('bold', line)
  return event === 'resist' ? styled('yellow', line) : line
}

function layOut(cells: readonly string[], width: number): string {
  const padded = cells.map((cell, index) => {
    const column = COLUMNS[index]
    if (!column || index === cells.length - 1) return cell
    return column.right === true ? cell.padStart(column.width) : cell.padEnd(column.width)
  })
  return padded.join('  ').slice(0, Math.max(width, 100)).trimEnd()
}
