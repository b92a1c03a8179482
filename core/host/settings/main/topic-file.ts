import { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import { isMissing, writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { withLock } from '../../platform/files/file-lock.ts'
import { keepAside } from '../../platform/files/keep-aside.ts'
import { jsonAs } from '../../platform/json.ts'
import { createQueue } from '../../platform/threads/shared-work.ts'

/** One topic of the state: a small file that several windows and processes read and change. */
export interface TopicFile<T> {
  /** As it is on disk now, with what could not be written yet. */
  value(): Promise<T>
  /** [F18] Reads, edits and writes under a lock. A change that cannot be written lasts until the program ends. */
  change(edit: (value: T) => T): Promise<T>
  /** Writes `value` if the file does not exist yet. Throws if it cannot be written. */
  begin(value: T): Promise<void>
}

export type ReadText = (path: string) => Promise<string>

interface TopicOptions<T> {
  readonly path: string
  readonly schema: z.ZodType<T>
  readonly empty: T
  /** The value that an older version stored elsewhere. Null = none, `unread` = it exists but cannot be read. */
  readonly older: () => Promise<T | null | 'unread'>
  readonly say: (line: string) => void
  readonly readText: ReadText
}

/** `unread`: the file cannot be read, but may be intact. `broken`: it is not our format. */
type Loaded<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: Unusable }
type Unusable = 'unread' | 'broken'

/** Reads the value of the file, or the one that an older version stored. */
function createReader<T>({ path, schema, empty, older, readText }: TopicOptions<T>, say: Say) {
  const File = z.object({ version: z.literal(1), value: schema })

  /** Null if the file does not exist. */
  async function ofFile(): Promise<Loaded<T> | null> {
    try {
      const file = jsonAs(File, await readText(path))
      return file === null ? { kind: 'broken' } : { kind: 'value', value: file.value }
    } catch (error) {
      if (isMissing(error)) return null
      say(`${path}: settings could not be read (${messageOf(error)}). Defaults are used.`)
      return { kind: 'unread' }
    }
  }

  async function load(): Promise<Loaded<T>> {
    const file = await ofFile()
    if (file !== null) return file
    const before = await older()
    if (before === 'unread') return { kind: 'unread' }
    if (before !== null) return { kind: 'value', value: before }
    // Between both reads another process may have taken over the older version's value.
    return (await ofFile()) ?? { kind: 'value', value: empty }
  }

  /** Only for the owner of the lock: sets a file of a foreign format aside, and returns the default. */
  async function loadForWriting(): Promise<Loaded<T>> {
    const loaded = await load()
    if (loaded.kind !== 'broken') return loaded
    const aside = await keepAside(path)
    say(`${path}: not a state file of Turnscope. Defaults are used; it is kept as ${aside}.`)
    return { kind: 'value', value: empty }
  }

  async function loadForReading(): Promise<Loaded<T>> {
    const loaded = await load()
    if (loaded.kind !== 'broken') return loaded
    return await withLock(path, loadForWriting).catch((error: unknown): Loaded<T> => {
      say(`${path}: not a state file of Turnscope (${messageOf(error)}). Defaults are used.`)
      return { kind: 'broken' }
    })
  }

  return { ofFile, loadForReading, loadForWriting }
}

export function openTopicFile<T>(options: TopicOptions<T>): TopicFile<T> {
  const { path, empty } = options
  const say = createSay(options.say)
  const { ofFile, loadForReading, loadForWriting } = createReader(options, say)
  const inTurn = createQueue()
  /** Edits that could not be written. They are applied again to the current value. */
  let pending: ReadonlyArray<(value: T) => T> = []
  const withPending = (value: T) => pending.reduce((now, edit) => edit(now), value)
  const write = (next: T) =>
    writeFileAtomic(path, `${JSON.stringify({ version: 1, value: next }, null, 2)}\n`, {
      isPrivate: true,
    })

  async function value(): Promise<T> {
    const loaded = await loadForReading()
    return withPending(loaded.kind === 'value' ? loaded.value : empty)
  }

  async function writePending(): Promise<T> {
    const loaded = await loadForWriting()
    if (loaded.kind !== 'value') {
      say(`${path}: settings will not be saved, because the file could not be read.`)
      return withPending(empty)
    }
    const next = withPending(loaded.value)
    await write(next)
    pending = []
    return next
  }

  async function change(edit: (value: T) => T): Promise<T> {
    pending = [...pending, edit]
    try {
      return await withLock(path, writePending)
    } catch (error) {
      const what = messageOf(error)
      say(`${path}: settings could not be saved (${what}). They last until you quit.`)
      return await value()
    }
  }

  async function beginWith(first: T): Promise<void> {
    const there = await ofFile()
    if (there?.kind === 'value') return
    // The file may be intact, so the older version's value must not be removed.
    if (there?.kind === 'unread') throw new Error(`${path} cannot be read`)
    if (there?.kind === 'broken') await keepAside(path)
    await write(first)
  }

  return {
    value,
    change: (edit) => inTurn(() => change(edit)),
    begin: (first) => inTurn(() => withLock(path, () => beginWith(first))),
  }
}

type Say = (line: string) => void

/** Says a line once: a file is read again and again. */
function createSay(say: Say): Say {
  const said = new Set<string>()
  return (line) => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
}
