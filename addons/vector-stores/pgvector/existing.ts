import type { Pool, PoolClient } from 'pg'
import type { VectorStore } from '../../../core/engine/probe/ports.ts'
import { messageOf } from '../../../core/engine/result.ts'
import { existingStore } from '../../../core/host/probe/store/existing.ts'
import { unreachable } from '../../../core/host/probe/store/problems.ts'
import { literal, quoted } from './rows.ts'

type Declared = Parameters<typeof existingStore>[0]

interface Row {
  readonly id: string
  readonly fields: unknown
  readonly vector: string
}

/** [D73] A PostgreSQL table that Turnscope did not create. Every query runs in a read-only transaction. */
export function existingTable(
  collection: string,
  store: { readonly table: string; readonly existing: Declared['index'] },
  pool: Pool,
): VectorStore {
  const table = quoted(store.table)
  const column = `"${(store.existing.vector ?? 'embedding').replaceAll('"', '""')}"`
  const problemOf = (error: unknown) =>
    unreachable(collection, messageOf(error), 'Check the table, its columns and the rights to it')

  async function reading<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('BEGIN TRANSACTION READ ONLY')
      return await work(client)
    } finally {
      const isLost = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      )
      client.release(isLost)
    }
  }

  const source = {
    facts: () =>
      reading(async (client) => {
        const { rows } = await client.query<{
          readonly chunks: string
          readonly changed: string
          readonly dimensions: number | null
          readonly bytes: string
        }>(
          `SELECT count(*) AS chunks, coalesce(max(xmin::text::bigint), 0) AS changed,
           max(vector_dims(${column})) AS dimensions,
           pg_total_relation_size($1::regclass) AS bytes FROM ${table}`,
          [table],
        )
        const { chunks = '0', changed = '0', dimensions = null, bytes = '0' } = rows[0] ?? {}
        const version = `existing.${chunks}.${changed}`
        return { version, chunks: Number(chunks), dimensions, bytes: Number(bytes) }
      }),
    nearest: (vector: Float32Array, limit: number) =>
      reading(async (client) => {
        const { rows } = await client.query<Row>(
          `SELECT ctid::text AS id, to_jsonb(t) AS fields, ${column}::text AS vector
           FROM ${table} t WHERE ${column} IS NOT NULL
           ORDER BY ${column} <=> $1::vector, ctid LIMIT $2`,
          [literal(vector), limit],
        )
        return rows.map((row) => ({
          id: row.id,
          fields: row.fields,
          vector: Float32Array.from(row.vector.slice(1, -1).split(','), Number),
        }))
      }),
    close: () => pool.end(),
  }
  return existingStore({ collection, index: store.existing, problemOf }, source)
}
