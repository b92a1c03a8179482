import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomic } from '../../files/atomic-file.ts'
import { jsonAs } from '../../shared/json.ts'
import { LONG_TEXT_BYTES, readText } from '../../files/regular-file.ts'

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

/** What a verdict is kept under: content, prompt, model, provider and address. */
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

/** Opens `coach/verdicts.jsonl` of the state folder. A torn or foreign line is passed over. */
export function openVerdictStore(
  stateDir: string,
  say: (line: string) => void,
  most = MOST,
): VerdictStore {
  const path = join(stateDir, 'coach', 'verdicts.jsonl')
  const { byKey, put, runsOf } = createIndex(most)
  let lines = 0
  let torn = false
  let writes: Promise<void> = Promise.resolve()
  let loading: Promise<void> | null = null

  async function load(): Promise<void> {
    const text = await readText(path, LONG_TEXT_BYTES).catch(() => '')
    torn = text !== '' && !text.endsWith('\n')
    for (const line of text.split('\n')) {
      if (line === '') continue
      lines += 1
      const answer = jsonAs(Stored, line)
      if (answer) put(answer)
    }
    if (lines > byKey.size + SPARE) await compact()
  }

  async function compact(): Promise<void> {
    const kept = [...byKey.values()].map((answer) => `${JSON.stringify(answer)}\n`)
    await writeFileAtomic(path, kept.join(''), { isPrivate: true })
    lines = kept.length
    torn = false
  }

  async function append(answer: StoredAnswer): Promise<void> {
    try {
      // Holds the new answer already; a second line of it does no harm.
      if (lines > byKey.size + SPARE) await compact()
      await mkdir(dirname(path), { recursive: true })
      await appendFile(path, `${torn ? '\n' : ''}${JSON.stringify(answer)}\n`, { mode: 0o600 })
      torn = false
      lines += 1
    } catch (error) {
      say(`${path}: a verdict could not be kept (${String(error)}). It lasts until you quit.`)
    }
  }

  const ready = () => (loading ??= load().catch(() => undefined))
  return {
    find: async (key) => {
      await ready()
      return byKey.get(keyOf(key)) ?? null
    },
    runs: async (content) => {
      await ready()
      return runsOf(content)
    },
    add: async (given) => {
      await ready()
      const answer = { ...given, raw: given.raw.slice(0, LONGEST_RAW) }
      put(answer)
      writes = writes.then(() => append(answer))
      await writes
      return answer
    },
    settled: () => writes,
  }
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
