import type { AbortSignalLike } from '../../../engine/probe/ports.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import { LOOPBACK } from '../../shared/guarded-fetch.ts'
import { checked, type Engine } from './engine.ts'

/** A server's protocol: one call for some texts. */
export type AskVectors = (
  texts: readonly string[],
  signal: AbortSignalLike,
) => Promise<Result<ReadonlyArray<readonly number[]>>>

/** [D23] Texts and characters a call: servers refuse more, and what is lost with a call stays small. */
const MOST_TEXTS = 32
const MOST_CHARS = 64_000
/** Characters of one text: about the 8191 tokens of the largest common limit. */
const LONGEST = 24_000

/** Whether texts that are sent there leave the machine. */
export function leavesMachine(url: string): boolean {
  return !LOOPBACK.test(new URL(url).hostname)
}

/** [D26] An embedder behind a server. Its first answer tells how long its vectors are; no other length passes. */
export function remoteEngine(id: string, where: string, askVectors: AskVectors): Engine {
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
