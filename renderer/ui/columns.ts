import type { ReactNode } from 'react'
import { classes } from './button.tsx'

/** A column as data: its head, and its content for a row. */
export interface Column<Row> {
  readonly head?: ReactNode
  /** The head is in the corner of a matrix and names no column. */
  readonly isCorner?: boolean
  /** Tooltip of the head. */
  readonly about?: string | undefined
  readonly headClass?: string
  readonly cell: (row: Row) => ReactNode
  /** A number: digits of one width. */
  readonly num?: boolean
  readonly className?: string | ((row: Row) => string)
  readonly title?: (row: Row) => string | undefined
  /** The row is named by it. */
  readonly isName?: boolean
  /** Columns that it spans; 0 = one before it does. */
  readonly span?: (row: Row) => number
  /** Rows can be sorted by it, under this name. */
  readonly sort?: string
  /** Sorting by it restores the original order of the rows; no arrow is shown. */
  readonly isOrder?: boolean
}

/** The column that rows are sorted by. */
export interface Sorting {
  readonly column: string
  readonly down: boolean
}

export function sortOf({ sort }: Pick<Column<never>, 'sort'>, by: Sorting | null) {
  if (sort === undefined) return undefined
  if (by?.column !== sort) return 'none'
  return by.down ? 'descending' : 'ascending'
}

export function classOf<Row>({ className, num }: Column<Row>, row: Row): string | undefined {
  const own = typeof className === 'function' ? className(row) : className
  return classes(num === true && 'num', own)
}

const STEPS: Readonly<Record<string, (page: number) => number>> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  PageDown: (page) => page,
  PageUp: (page) => -page,
  Home: () => -Infinity,
  End: () => Infinity,
}
const LETTERS: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' }

/**
 * Number of rows that a key moves in a list; undefined for keys that do not move.
 * @param letters j and k move, too
 */
export function stepOf(key: string, page: number, letters = false): number | undefined {
  return STEPS[(letters ? LETTERS[key] : undefined) ?? key]?.(page)
}

/**
 * The line reached `by` lines from `from`. Lines that cannot be current (headings) are skipped.
 * @param from -1 if none is current yet
 * @returns -1 if no line can be current
 */
export function lineAt(
  count: number,
  canStand: (at: number) => boolean,
  { from, by }: { readonly from: number; readonly by: number },
): number {
  const wanted = Math.min(count - 1, Math.max(0, from + by))
  const search = (step: 1 | -1): number => {
    let at = wanted
    while (at >= 0 && at < count && !canStand(at)) at += step
    return at >= 0 && at < count ? at : -1
  }
  const ahead = by > 0 ? 1 : -1
  const found = search(ahead)
  return found >= 0 ? found : search(ahead === 1 ? -1 : 1)
}
