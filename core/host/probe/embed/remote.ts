import { z } from 'zod'
import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import { LOOPBACK } from '../../platform/net/loopback-names.ts'
import { type Permit, valueFor } from '../../platform/trust/gate.ts'
import { type Engine, checked } from './engine.ts'
import { type Asking, createServer, malformed } from './remote-call.ts'

/** A server's protocol: one call for some texts. */
type AskVectors = (
  texts: readonly string[],
  signal: AbortSignalLike,
) => Promise<Result<ReadonlyArray<readonly number[]>>>

/** [D23] Maximum texts and characters per call: servers refuse more, and a failed call loses little. */
const MOST_TEXTS = 32
const MOST_CHARS = 64_000
/** Characters of one text: about the 8191 tokens of the largest common limit. */
const LONGEST = 24_000

/** Whether texts that are sent there leave the machine. */
export function leavesMachine(url: string): boolean {
  return !LOOPBACK.test(new URL(url).hostname)
}

/**
 * [D26] An embedder behind a server. Its first answer sets the vector length; vectors of other lengths are rejected.
 */
function remoteEngine(id: string, where: string, askVectors: AskVectors): Engine {
  let dimensions: number | null = null
  return {
    id,
    get dimensions() {
      return dimensions
    },
    remote: leavesMachine(where),
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = []
      for (const batch of callsOf(texts.map((text) => text.slice(0, LONGEST).toWellFormed()))) {
        if (signal.aborted) return err({ what: 'cancelled', where, do: 'Run it again' })
        const answer = await askVectors(batch, signal)
        if (!answer.ok) return answer
        const good = checked(answer.value, { count: batch.length, dimensions, where })
        if (!good.ok) return good
        dimensions ??= good.value[0]?.length ?? null
        vectors.push(...good.value)
      }
      return ok(vectors)
    },
    close: () => Promise.resolve(),
  }
}

function callsOf(texts: readonly string[]): ReadonlyArray<readonly string[]> {
  const calls: string[][] = []
  let chars = 0
  for (const text of texts) {
    const last = calls.at(-1)
    if (last === undefined || last.length >= MOST_TEXTS || chars + text.length > MOST_CHARS) {
      calls.push([text])
      chars = text.length
    } else {
      last.push(text)
      chars += text.length
    }
  }
  return calls
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
})

interface OpenAiConfig {
  readonly url: string
  readonly model: string
  /** Name of the environment variable with the key; null = the server wants none. */
  readonly keyEnv: string | null
}

/**
 * [D26] A model behind the embeddings API of OpenAI: `POST …/embeddings`; an address without a path gets
 * `/v1`. The key is read from the environment, and sent to that address alone: no redirect is followed.
 */
export function openOpenAi(
  permit: Permit,
  { url, model, keyEnv }: OpenAiConfig,
  env: Readonly<Record<string, string | undefined>>,
  asking: Asking,
): Result<Engine> {
  const { origin, pathname, host } = new URL(url)
  const key = keyEnv === null ? ok(null) : valueFor(permit, keyEnv, { env, where: origin })
  if (!key.ok) return key
  if (keyEnv !== null && key.value === null) {
    const what = `the environment variable ${keyEnv} holds no key`
    return err({ what, where: origin, do: 'Set it where Turnscope is started' })
  }
  const path = pathname.replace(/\/+$/, '')
  const address = `${origin}${path === '' ? '/v1' : path}/embeddings`
  const server = createServer(permit, origin, asking)
  const headers = {
    'content-type': 'application/json',
    ...(key.value === null ? {} : { authorization: `Bearer ${key.value}` }),
  }
  return ok(
    remoteEngine(`openai:${host}:${model}`, origin, async (texts, signal) => {
      const body = { model, input: texts, encoding_format: 'float' }
      const answer = await server.ask({ url: address, headers, body }, signal)
      if (!answer.ok) return answer
      const read = Answer.safeParse(answer.value)
      if (!read.success) return err(malformed(origin, 'no embeddings'))
      const rows = [...read.data.data].sort((a, b) => a.index - b.index)
      const isOrdered = rows.every(({ index }, place) => index === place)
      if (!isOrdered) return err(malformed(origin, 'the texts are not numbered'))
      return ok(rows.map(({ embedding }) => embedding))
    }),
  )
}

const Tags = z.object({
  models: z.array(z.object({ name: z.string(), digest: z.string().regex(/^[0-9a-f]{12,}$/u) })),
})
const Embeddings = z.object({ embeddings: z.array(z.array(z.number())) })

/**
 * [D26] A model of an Ollama server: `GET /api/tags` for its digest, which is part of the id, and
 * `POST /api/embed`.
 * @param address of the server, without `/api`
 */
export async function openOllama(
  permit: Permit,
  address: string,
  model: string,
  asking: Asking,
): Promise<Result<Engine>> {
  const base = address.replace(/\/+$/, '')
  const server = createServer(permit, base, asking)
  const listed = await server.ask(
    { url: `${base}/api/tags`, headers: {}, body: null },
    { aborted: false },
  )
  if (!listed.ok) return listed
  const tags = Tags.safeParse(listed.value)
  if (!tags.success) return err(malformed(base, 'no list of models'))
  // Without a tag, Ollama means the latest.
  const names = [model, `${model}:latest`]
  const digest = tags.data.models.find(({ name }) => names.includes(name))?.digest
  if (digest === undefined) {
    const what = `Ollama has no model called ${model}`
    return err({ what, where: base, do: `Run: ollama pull ${model}` })
  }
  const id = `ollama:${model}:${digest.slice(0, 12)}`
  const headers = { 'content-type': 'application/json' }
  return ok(
    remoteEngine(id, base, async (texts, signal) => {
      const body = { model, input: texts, truncate: true }
      const answer = await server.ask({ url: `${base}/api/embed`, headers, body }, signal)
      if (!answer.ok) return answer
      const read = Embeddings.safeParse(answer.value)
      return read.success ? ok(read.data.embeddings) : err(malformed(base, 'no embeddings'))
    }),
  )
}
