import { z } from 'zod'
import { type Result, err, ok } from '../../../engine/result.ts'
import type { Engine } from './engine.ts'
import { remoteEngine } from './remote.ts'
import { type Asking, createServer, malformed } from './remote-call.ts'

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
  address: string,
  model: string,
  asking: Asking,
): Promise<Result<Engine>> {
  const base = address.replace(/\/+$/, '')
  const server = createServer(base, asking)
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
