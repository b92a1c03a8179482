/**
 * Test helper: the endpoints of Qdrant's REST API that the adapter uses, with their meaning: it stores
 * and searches. It is no Qdrant: what the real server does beyond that is not tried here.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Condition = z.object({
  key: z.string(),
  match: z
    .union([z.object({ any: z.array(z.string()) }), z.object({ value: z.string() })])
    .optional(),
  range: z.object({ gte: z.number(), lt: z.number() }).optional(),
})
const Filter = z.object({ must: z.array(Condition) }).optional()
const Sparse = z.object({ indices: z.array(z.int()), values: z.array(z.number()) })
const Point = z.object({
  id: z.union([z.guid(), z.int()]),
  vector: z.record(z.string(), z.union([z.array(z.number()), Sparse])),
  payload: z.record(z.string(), z.unknown()),
})
const Body = z.object({
  vectors: z.record(z.string(), z.object({ size: z.int(), distance: z.literal('Cosine') })),
  sparse_vectors: z.record(z.string(), z.object({})).optional(),
  points: z.array(Point),
  ids: z.array(z.int()),
  filter: Filter,
  limit: z.int().min(1),
  key: z.string(),
  query: z.union([z.array(z.number()), Sparse]),
  using: z.string(),
})
type Point = z.infer<typeof Point>
type Body = z.infer<typeof Body>
type Vector = Point['vector'][string]

interface Collection {
  readonly sizes: ReadonlyMap<string, number>
  readonly sparse: ReadonlySet<string>
  readonly points: Map<string | number, Point>
}

class Bad extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

function matches({ payload }: Point, filter: z.infer<typeof Filter>): boolean {
  return (filter?.must ?? []).every(({ key, match, range }) => {
    const value = payload[key]
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (match !== undefined) {
      const wanted = 'any' in match ? match.any : [match.value]
      return values.some((one) => wanted.includes(String(one)))
    }
    return (
      range === undefined ||
      values.some((one) => Number(one) >= range.gte && Number(one) < range.lt)
    )
  })
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

/** Score of a point; null where it shares nothing with a sparse query. */
function scoreOf(point: Point, using: string, query: Body['query']): number | null {
  const vector = point.vector[using]
  if (vector === undefined) return null
  if (Array.isArray(query) && Array.isArray(vector))
    return product(vector, query) / Math.sqrt(product(query, query)) || 0
  if (Array.isArray(query) || Array.isArray(vector)) throw new Bad(400, 'wrong kind of vector')
  const weights = new Map(query.indices.map((index, at) => [index, query.values[at] ?? 0]))
  const shared = vector.indices.filter((index) => weights.has(index))
  if (shared.length === 0) return null
  return shared.reduce((sum, index) => sum + (weights.get(index) ?? 0), 0)
}

function put(collection: Collection, points: readonly Point[]): void {
  for (const point of points) {
    const vector = Object.entries(point.vector).map(([name, value]) => {
      if (!Array.isArray(value)) {
        if (!collection.sparse.has(name)) throw new Bad(400, `no sparse vector ${name}`)
        return [name, value] as const
      }
      if (collection.sizes.get(name) !== value.length) throw new Bad(400, 'wrong vector size')
      // Cosine vectors are kept with length 1.
      const length = Math.sqrt(product(value, value)) || 1
      return [name, value.map((one) => Math.fround(one / length))] as const
    })
    collection.points.set(point.id, { ...point, vector: Object.fromEntries<Vector>(vector) })
  }
}

type Action = (collection: Collection, body: Body) => unknown

const ACTIONS: Readonly<Record<string, Action>> = {
  'PUT /points': (collection, { points }) => {
    put(collection, points)
    return { operation_id: 1, status: 'completed' }
  },
  'POST /points': ({ points }, { ids }) => ids.flatMap((id) => points.get(id) ?? []),
  'POST /points/delete': ({ points }, { filter }) => {
    for (const [id, point] of points) if (matches(point, filter)) points.delete(id)
    return { operation_id: 1, status: 'completed' }
  },
  'POST /points/count': ({ points }, { filter }) => ({
    count: [...points.values()].filter((point) => matches(point, filter)).length,
  }),
  'POST /points/scroll': ({ points }, { filter, limit }) => ({
    points: [...points.values()].filter((point) => matches(point, filter)).slice(0, limit),
    next_page_offset: null,
  }),
  'POST /facet': ({ points }, { key, limit }) => {
    const counts = Map.groupBy(points.values(), ({ payload }) => String(payload[key]))
    const hits = Array.from(counts, ([value, { length: count }]) => ({ value, count }))
    return { hits: hits.slice(0, limit) }
  },
  'POST /points/query': ({ points, sizes, sparse }, { query, using, filter, limit }) => {
    if (!sizes.has(using) && !sparse.has(using)) throw new Bad(400, `no vector ${using}`)
    const found = [...points.values()]
      .filter((point) => matches(point, filter))
      .flatMap((point) => {
        const score = scoreOf(point, using, query)
        return score === null ? [] : [{ ...point, score, version: 1 }]
      })
    return { points: found.toSorted((a, b) => b.score - a.score).slice(0, limit) }
  },
  'PUT /index': () => ({ operation_id: 1, status: 'completed' }),
}

function answer(collections: Map<string, Collection>, route: string, body: Body): unknown {
  const [, method = '', name = '', rest = ''] =
    /^(\w+) \/collections\/([^/]+)(.*)$/u.exec(route) ?? []
  const collection = collections.get(name)
  if (rest === '/exists') return { exists: collection !== undefined }
  if (rest === '' && method === 'PUT') {
    if (collection !== undefined) throw new Bad(409, `${name} exists`)
    const sizes = Object.entries(body.vectors).map(([key, { size }]) => [key, size] as const)
    const sparse = new Set(Object.keys(body.sparse_vectors ?? {}))
    collections.set(name, { sizes: new Map(sizes), sparse, points: new Map() })
    return true
  }
  if (collection === undefined) throw new Bad(404, `Collection ${name} doesn't exist`)
  if (rest === '' && method === 'DELETE') return collections.delete(name)
  const action = ACTIONS[`${method} ${rest}`]
  if (action === undefined) throw new Bad(404, `no endpoint ${route}`)
  return action(collection, body)
}

/** A server on the loopback interface; with a key it refuses requests without it. */
export async function startQdrantStandIn(key: string | null): Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}> {
  const collections = new Map<string, Collection>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'http://x')
      const send = (status: number, body: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      try {
        if (key !== null && request.headers['api-key'] !== key) throw new Bad(401, 'no key')
        const text = Buffer.concat(parts).toString()
        // Which fields are there depends on the endpoint.
        const body = Body.partial().parse(text === '' ? {} : JSON.parse(text)) as Body
        const result = answer(collections, `${request.method ?? ''} ${pathname}`, body)
        send(200, { result, status: 'ok', time: 0 })
      } catch (error) {
        const status = error instanceof Bad ? error.status : 400
        send(status, { status: { error: String(error) }, time: 0 })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
