import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../engine/result.ts'
import { DEFAULT_SETTINGS, RecentFile, Settings } from '../../wire/shapes.ts'
import { isMissing, writeFileAtomic } from '../files/atomic-file.ts'
import { jsonAs } from '../shared/json.ts'
import { readText as readRegular } from '../files/regular-file.ts'

const MAX_RECENT = 20

const Recent = RecentFile.omit({ missing: true })
export type Recent = Readonly<z.infer<typeof Recent>>

const State = z.object({
  version: z.literal(1),
  settings: Settings,
  recent: z.array(Recent).max(1000),
  /** Folders of the library, in the order in which they were added. */
  folders: z.array(z.string()).max(1000).default([]),
})
type State = Readonly<z.infer<typeof State>>

const EMPTY: State = { version: 1, settings: DEFAULT_SETTINGS, recent: [], folders: [] }

/** Settings and recent files of one user of one workspace, kept in `state.json`. */
export interface StateStore {
  settings(): Promise<Settings>
  change(patch: { readonly [K in keyof Settings]?: Settings[K] | undefined }): Promise<Settings>
  recent(): Promise<readonly Recent[]>
  /** Puts a file on top of the list; one entry a path. */
  remember(entry: Recent): Promise<void>
  forget(path: string): Promise<void>
  /** Folders of the library, oldest first. */
  folders(): Promise<readonly string[]>
  addFolder(path: string): Promise<void>
  removeFolder(path: string): Promise<void>
  /** Resolves when everything said so far is on disk. */
  settled(): Promise<void>
}

/**
 * Opens the state of `folder`. A file that cannot be read as state is kept aside as `state.json.bad`,
 * defaults are used, and `say` is told in one line; nothing is thrown.
 */
export function openStateStore(
  folder: string,
  say: (line: string) => void,
  readText: (path: string) => Promise<string> = readRegular,
): StateStore {
  const path = join(folder, 'state.json')
  // [F15] What could not be read may be whole: it is not written over.
  let isUnread = false
  let current: Promise<State> | null = null
  let writes: Promise<void> = Promise.resolve()
  const load = () =>
    (current ??= readState(path, say, readText).then((state) => {
      isUnread = state === null
      return state ?? EMPTY
    }))

  function update(change: (state: State) => State): Promise<State> {
    const next = load().then(change)
    current = next
    writes = writes.then(async () => {
      const state = await next
      if (isUnread) say(`${path}: settings will not be saved, because the file could not be read.`)
      else await writeState(path, state, say)
    })
    return next
  }

  return {
    settings: async () => (await load()).settings,
    change: async (patch) => {
      const set = Object.fromEntries(Object.entries(patch).filter(([, v]) => v !== undefined))
      const state = await update((old) => ({ ...old, settings: { ...old.settings, ...set } }))
      await writes
      return state.settings
    },
    recent: async () => (await load()).recent,
    remember: async (entry) => {
      await update((old) => ({
        ...old,
        recent: [entry, ...old.recent.filter((r) => r.path !== entry.path)].slice(0, MAX_RECENT),
      }))
      await writes
    },
    forget: async (gone) => {
      await update((old) => ({ ...old, recent: old.recent.filter((r) => r.path !== gone) }))
      await writes
    },
    folders: async () => (await load()).folders,
    addFolder: async (path) => {
      await update((old) => ({ ...old, folders: [...new Set([...old.folders, path])] }))
      await writes
    },
    removeFolder: async (path) => {
      await update((old) => ({ ...old, folders: old.folders.filter((each) => each !== path) }))
      await writes
    },
    settled: () => writes,
  }
}

/** The same store, in which `preset` stands until somebody chooses another. */
export function startWith(store: StateStore, preset: string): StateStore {
  let forced: string | null = preset
  const shown = (settings: Settings) =>
    forced === null ? settings : { ...settings, preset: forced }
  return {
    ...store,
    settings: async () => shown(await store.settings()),
    change: async (patch) => {
      if (patch.preset !== undefined) forced = null
      return shown(await store.change(patch))
    },
  }
}

async function writeState(path: string, state: State, say: (line: string) => void): Promise<void> {
  try {
    await writeFileAtomic(path, `${JSON.stringify(state, null, 2)}\n`, { isPrivate: true })
  } catch (error) {
    say(`${path}: settings could not be saved (${messageOf(error)}). They last until you quit.`)
  }
}

/** Null where the file is there and cannot be read. */
async function readState(
  path: string,
  say: (line: string) => void,
  readText: (path: string) => Promise<string>,
): Promise<State | null> {
  let text: string
  try {
    text = await readText(path)
  } catch (error) {
    if (isMissing(error)) return EMPTY
    say(`${path}: settings could not be read (${messageOf(error)}). Defaults are used.`)
    return null
  }
  const parsed = jsonAs(State, text)
  if (parsed) return parsed
  const aside = `${path}.bad`
  await rename(path, aside).catch(() => undefined)
  say(
    `${path}: not a state file of Turnscope. Defaults are used; the old file is kept as ${aside}.`,
  )
  return EMPTY
}
