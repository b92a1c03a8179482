import type { ChunkRecord } from '../../../core/engine/probe/ports.ts'
import { type Found, linesOf } from '../../../core/host/probe/store/candidates.ts'

export interface ChunkRow extends Omit<ChunkRecord, 'lines'> {
  readonly line_from: number | null
  readonly line_to: number | null
}

export interface FoundRow extends ChunkRow {
  readonly terms: readonly string[]
  readonly similarity: number
}

export function foundOf(row: FoundRow): Found {
  return {
    chunk_text: row.text,
    filename: row.filename,
    chunk_idx: row.chunk_idx,
    lines: linesOf(row.line_from, row.line_to),
    // The distance to a vector without direction is no number.
    similarity: Number.isNaN(row.similarity) ? 0 : row.similarity,
    words: row.terms,
  }
}

/** PostgreSQL's text has neither a zero character nor half a surrogate pair. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

export function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

/** `a.b` → `"a"."b"`. */
export function quoted(table: string): string {
  return table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
