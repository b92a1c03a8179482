import { withoutCodes } from '../../engine/terminal-codes.ts'
import { styled, visible } from '../../host/platform/terminal.ts'

/** A column of a table in a terminal. */
export interface Column<T> {
  readonly title: string
  /** Minimum width. Longer values push the next columns to the right; the last column takes the remaining width. */
  readonly width: number
  readonly right?: boolean
  readonly of: (row: T) => string
}

/** Lays out a table whose rows come one by one, cut at the width of the terminal. */
export function createTable<T>(columns: ReadonlyArray<Column<T>>, width: number) {
  const layOut = (text: (column: Column<T>) => string): string =>
    columns
      .map((column, index) => {
        // As it will be seen, so that columns stay below each other.
        const cell = visible(withoutCodes(text(column)))
        if (index === columns.length - 1) return cell
        return column.right === true ? cell.padStart(column.width) : cell.padEnd(column.width)
      })
      .join('  ')
      .slice(0, Math.max(width, 100))
      .trimEnd()
  return {
    head: (): string =>
      styled(
        'dim',
        layOut(({ title }) => title),
      ),
    row: (row: T): string => layOut(({ of }) => of(row)),
  }
}

/** Cells of one width, aligned to the right. */
export function rightCells(cells: ReadonlyArray<string | number>, width: number): string {
  return cells.map((cell) => String(cell).padStart(width)).join('')
}

/** One cell, aligned to the right. @param shown the same text with a link or a style, which take no room */
export function rightCell(text: string, width: number, shown = text): string {
  return `${' '.repeat(Math.max(0, width - text.length))}${shown}`
}

/** [B25] The beginning of a text on one line, without codes of the terminal. */
export function firstWords(text: string, most = 200): string {
  // Codes may be longer than the words: they are left out before the cut.
  const line = withoutCodes(text.slice(0, most * 8))
    .slice(0, most * 2)
    .replace(/\s+/gu, ' ')
  // Drops a half surrogate pair that the cut leaves.
  return line
    .trim()
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/u, '')
}
