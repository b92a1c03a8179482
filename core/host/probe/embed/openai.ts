import { z } from 'zod'
import { type Result, err, ok } from '../../../engine/result.ts'
import type { Engine } from './engine.ts'
import { remoteEngine } from './remote.ts'
import { type Asking, createServer, malformed } from './remote-call.ts'

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
  { url, model, keyEnv }: OpenAiConfig,
  env: Readonly<Record<string, string | undefined>>,
  asking: Asking,
): Result<Engine> {
  const { origin, pathname, host } = new URL(url)
  const key = keyEnv === null ? null : (env[keyEnv] ?? '')
  if (key === '') {
    const what = `the environment variable ${keyEnv ?? ''} holds no key`
    return err({ what, where: origin, do: 'Set it where Turnscope is started' })
  }
  const path = pathname.replace(/\/+$/, '')
  const address = `${origin}${path === '' ? '/v1' : path}/embeddings`
  const server = createServer(origin, asking)
  const headers = {
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
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
