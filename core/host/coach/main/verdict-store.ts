import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import { appendLine, isMissing, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { withLock } from '../../platform/files/file-lock.ts'
import { jsonAs } from '../../platform/json.ts'
import { LONG_TEXT_BYTES, readText } from '../../platform/files/regular-file.ts'

/** A model's answer to one output, as it is kept. */
const Stored = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  content: z.string(),
  promptHash: z.string(),
  model: z.string(),
  provider: z.string(),
  baseUrl: z.string(),
  raw: z.string(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  dollars: z.number().nullable(),
  elapsedMs: z.number(),
})
export type StoredAnswer = Readonly<z.infer<typeof Stored>>

/** Key of a verdict: content, prompt, model, provider and address. */
export type AnswerKey = Pick<
  StoredAnswer,
  'content' | 'promptHash' | 'model' | 'provider' | 'baseUrl'
>

/** [V13] Answers of models on disk: the same call is never paid twice. */
export interface VerdictStore {
  find(key: AnswerKey): Promise<StoredAnswer | null>
  /** All answers to one output, newest first. */
  runs(content: string): Promise<readonly StoredAnswer[]>
  /** The answer as it is kept from now on. */
  add(answer: StoredAnswer): Promise<StoredAnswer>
  settled(): Promise<void>
}

const MOST = 50_000
/** The file is rewritten when it holds this many more lines than answers. */
const SPARE = 2000
/** The library limits answers; this limits the file. UTF-16 units. */
const LONGEST_RAW = 20_000

/**
 * Opens `coach/verdicts.jsonl` of the state folder. A torn or foreign line is passed over and kept. [F17] A
 * file that cannot be read is said; answers are added to it, and it is never rewritten.
 */
export function openVerdictStore(
  stateDir: string,
  say: (line: string) => void,
  most = MOST,
): VerdictStore {
  const path = join(stateDir, 'coach', 'verdicts.jsonl')
  const index = createIndex(most)
  const { load, append } = createVerdictFile(path, say, index)
  let writes: Promise<void> = Promise.resolve()
  let loading: Promise<void> | null = null
  const ready = () => (loading ??= load().catch(() => undefined))
  return {
    find: async (key) => {
      await ready()
      return index.byKey.get(keyOf(key)) ?? null
    },
    runs: async (content) => {
      await ready()
      return index.runsOf(content)
    },
    add: async (given) => {
      await ready()
      const answer = { ...given, raw: given.raw.slice(0, LONGEST_RAW) }
      index.put(answer)
      writes = writes.then(() => append(answer))
      await writes
      return answer
    },
    settled: () => writes,
  }
}

/** The file of an index: loaded once, then appended to, and rewritten when too many lines are old. */
function createVerdictFile(
  path: string,
  say: (line: string) => void,
  { byKey, put }: ReturnType<typeof createIndex>,
) {
  let lines = 0
  let isUnread = false

  /** Loads all answers of the file; returns the lines that are not answers. */
  async function take(): Promise<readonly string[]> {
    const text = await readText(path, LONG_TEXT_BYTES).catch((error: unknown) => {
      if (isMissing(error)) return ''
      throw error
    })
    const all = text.split('\n').filter((line) => line !== '')
    lines = all.length
    return all.filter((line) => {
      const answer = jsonAs(Stored, line)
      if (answer) put(answer)
      return answer === null
    })
  }

  async function load(): Promise<void> {
    try {
      await take()
    } catch (error) {
      isUnread = true
      say(`${path}: kept verdicts cannot be read (${messageOf(error)}). The file is left as it is.`)
      return
    }
    if (isLong()) await withLock(path, compact)
  }

  const isLong = () => !isUnread && lines > byKey.size + SPARE

  /** [F20] For who holds the lock: what another process added meanwhile is kept too. */
  async function compact(): Promise<void> {
    const mine = [...byKey.values()]
    const others = await take()
    // In the order of their age, so that ours stay the newest.
    for (const answer of mine) put(answer)
    const kept = [...others, ...[...byKey.values()].map((answer) => JSON.stringify(answer))]
    await writeFileAtomic(path, kept.map((line) => `${line}\n`).join(''), { isPrivate: true })
    lines = kept.length
  }

  async function append(answer: StoredAnswer): Promise<void> {
    try {
      await withLock(path, async () => {
        await appendLine(path, JSON.stringify(answer))
        lines += 1
      })
    } catch (error) {
      const what = messageOf(error)
      say(`${path}: a verdict could not be kept (${what}). It lasts until you quit.`)
      return
    }
    // The answer is already stored, so a file that stays long does no harm.
    if (isLong()) await withLock(path, compact).catch(() => undefined)
  }

  return { load, append }
}

/** Answers in memory, by key and by output; the oldest go first. */
function createIndex(most: number) {
  const byKey = new Map<string, StoredAnswer>()
  const byContent = new Map<string, Set<string>>()

  function put(answer: StoredAnswer): void {
    const key = keyOf(answer)
    byKey.delete(key)
    byKey.set(key, answer)
    const keys = byContent.get(answer.content) ?? new Set<string>()
    byContent.set(answer.content, keys.add(key))
    const [oldest] = byKey
    if (byKey.size > most && oldest !== undefined) {
      byKey.delete(oldest[0])
      byContent.get(oldest[1].content)?.delete(oldest[0])
    }
  }

  function runsOf(content: string): readonly StoredAnswer[] {
    const keys = [...(byContent.get(content) ?? [])]
    const found = keys.flatMap((key) => byKey.get(key) ?? [])
    return found.toSorted((a, b) => b.at - a.at)
  }

  return { byKey, put, runsOf }
}

function keyOf({ content, promptHash, model, provider, baseUrl }: AnswerKey): string {
  return [content, promptHash, provider, baseUrl, model].join(' ')
}
