import type { QdrantClient } from '@qdrant/js-client-rest'
import { z } from 'zod'
import type { VectorStore } from '../../../core/engine/probe/ports.ts'
import { type ExistingRow, existingStore } from '../../../core/host/probe/store/existing.ts'

const Size = z.object({ size: z.int() })
/** One vector without a name, or several with names. */
const Params = z.object({ vectors: z.union([Size, z.record(z.string(), Size)]).optional() })
const Numbers = z.array(z.number())
const Vector = z.union([Numbers, z.record(z.string(), z.unknown())])

function sizeOf(params: unknown, name: string | undefined): number | null {
  const { vectors } = Params.parse(params)
  if (vectors === undefined) return null
  if (Size.safeParse(vectors).success) return Size.parse(vectors).size
  return (
    Size.safeParse(Object.entries(vectors).find(([key]) => key === name)?.[1]).data?.size ?? null
  )
}

/** [D73] A collection on a Qdrant server that Turnscope did not create. It is only counted and queried. */
export function existingCollection(
  name: string,
  client: QdrantClient,
  declared: Parameters<typeof existingStore>[0],
): VectorStore {
  const { vector: using, dimensions } = declared.index

  function rowOf(point: { id: unknown; payload?: unknown; vector?: unknown }): ExistingRow {
    const vector = Vector.parse(point.vector)
    const own = Array.isArray(vector) ? vector : Numbers.parse(vector[using ?? ''])
    return { id: String(point.id), fields: point.payload, vector: Float32Array.from(own) }
  }

  const source = {
    facts: async () => {
      const { config } = await client.getCollection(name)
      const { count } = await client.count(name, { exact: true })
      const size = sizeOf(config.params, using)
      const bytes = count * dimensions * 4
      return { version: `existing.${count}`, chunks: count, dimensions: size ?? 0, bytes }
    },
    nearest: async (vector: Float32Array, limit: number) => {
      const { points } = await client.query(name, {
        query: [...vector],
        limit,
        params: { exact: true },
        with_payload: true,
        ...(using === undefined ? { with_vector: true } : { using, with_vector: [using] }),
      })
      return points.map(rowOf)
    },
    close: () => Promise.resolve(),
  }
  return existingStore(declared, source)
}
