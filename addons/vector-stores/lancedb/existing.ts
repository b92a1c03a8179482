import { z } from 'zod'
import type { VectorStore } from '../../../core/engine/probe/ports.ts'
import { type ExistingRow, existingStore } from '../../../core/host/probe/store/existing.ts'
import type { Lance } from './package.ts'

const Numbers = z.array(z.number())
/** An Arrow vector: an iterable of numbers, not an array. */
const Vector = z.custom<Iterable<number>>(
  (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
)

/** [D73] A LanceDB table that Turnscope did not create. */
export function existingLance(
  connection: Awaited<ReturnType<Lance['connect']>>,
  table: string,
  declared: Parameters<typeof existingStore>[0],
): VectorStore {
  const column = declared.index.vector ?? 'vector'
  const vectorOf = (row: Readonly<Record<string, unknown>>): Float32Array =>
    Float32Array.from(Numbers.parse([...Vector.parse(row[column])]))

  const source = {
    facts: async () => {
      const opened = await connection.openTable(table)
      const chunks = await opened.countRows()
      const [first] = (await opened.query().limit(1).toArray()) as ReadonlyArray<
        Readonly<Record<string, unknown>>
      > // rows are objects by the names of their columns
      const dimensions = first === undefined ? null : vectorOf(first).length
      const version = `existing.${await opened.version()}`
      return { version, chunks, dimensions, bytes: chunks * (dimensions ?? 0) * 4 }
    },
    nearest: async (vector: Float32Array, limit: number) => {
      const opened = await connection.openTable(table)
      const rows = (await opened
        .query()
        .nearestTo(vector)
        .column(column)
        .distanceType('cosine')
        .limit(limit)
        .toArray()) as ReadonlyArray<Readonly<Record<string, unknown>>> // as above
      return rows.map((row): ExistingRow => {
        const { id, ...fields } = row
        const name = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
        const text = String(row[declared.index.text.split('.')[0] ?? ''])
        return {
          id: name === '' ? text.slice(0, 80) : name,
          fields: { id, ...fields },
          vector: vectorOf(row),
        }
      })
    },
    close: () => Promise.resolve(),
  }
  return existingStore(declared, source)
}
