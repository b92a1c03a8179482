import { z } from 'zod'
import type { ChunkRecord } from '../../../core/engine/probe/ports.ts'
import { type Found, cosine, linesOf } from '../../../core/host/probe/store/candidates.ts'
import type { Batch } from '../../../core/host/probe/store/checks.ts'
import { indexedText } from '../../../core/engine/probe/chunk.ts'
import { lexicalWords } from '../../../core/host/probe/store/lexical.ts'
import type { Arrow } from './package.ts'

/** Columns of a chunk without its words and its vector. */
export const CHUNK = ['filename', 'chunk_idx', 'text', 'heading', 'line_from', 'line_to', 'hash']

/** Values that Arrow returns as its own vectors. */
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (isIterable(value) ? Array.from(value) : value), z.array(item))

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

const Row = z.object({
  filename: z.string(),
  chunk_idx: z.int(),
  text: z.string(),
  heading: z.string().nullable(),
  line_from: z.int().nullable(),
  line_to: z.int().nullable(),
  hash: z.string(),
})
const FoundRow = Row.extend({ terms: list(z.string()), vector: list(z.number()) })
const Terms = z.object({ terms: list(z.string()) })
const Name = z.object({ filename: z.string() })

/** Columns of a table for vectors of `dimensions`, with its metadata. */
export function schemaOf(arrow: Arrow, dimensions: number, metadata: Map<string, string>): object {
  const text = () => new arrow.Utf8()
  const field = (name: string, type: object, nullable = false) =>
    new arrow.Field(name, type, nullable)
  const vector = new arrow.FixedSizeList(dimensions, field('item', new arrow.Float32(), true))
  return new arrow.Schema(
    [
      field('filename', text()),
      field('chunk_idx', new arrow.Int32()),
      field('text', text()),
      field('heading', text(), true),
      field('line_from', new arrow.Int32(), true),
      field('line_to', new arrow.Int32(), true),
      field('hash', text()),
      field('terms', new arrow.List(field('item', text(), true))),
      field('vector', vector),
    ],
    metadata,
  )
}

export function rowOf({ chunk, vector }: Batch[number]): Readonly<Record<string, unknown>> {
  const { filename, chunk_idx, text, heading, hash } = chunk
  const [line_from = null, line_to = null] = chunk.lines ?? []
  const plain = text.toWellFormed()
  return {
    filename,
    chunk_idx,
    text: plain,
    heading,
    line_from,
    line_to,
    hash,
    terms: [...lexicalWords(indexedText({ text: plain, heading }))],
    vector: [...vector],
  }
}

/** Chunk of a row. Throws if Turnscope did not create the table. */
export function chunkOfRow(row: unknown): ChunkRecord {
  const { line_from: from, line_to: to, ...chunk } = Row.parse(row)
  return { ...chunk, lines: linesOf(from, to) }
}

export function foundOfRow(row: unknown, query: Float32Array): Found {
  const { filename, chunk_idx, text, ...rest } = FoundRow.parse(row)
  const { line_from: from, line_to: to, terms: words } = rest
  const similarity = cosine(query, Float32Array.from(rest.vector))
  const lines = linesOf(from, to)
  return { chunk_text: text, filename, chunk_idx, lines, similarity, words }
}

export function termsOfRow(row: unknown): readonly string[] {
  return Terms.parse(row).terms
}

export function filenameOfRow(row: unknown): string {
  return Name.parse(row).filename
}

/** A text in a filter. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function ofFiles(filenames: readonly string[]): string {
  return filenames.length === 0 ? 'false' : `filename IN (${filenames.map(literal).join(', ')})`
}

export function withWord(word: string): string {
  return `array_has(terms, ${literal(word)})`
}
