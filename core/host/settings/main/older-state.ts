import { lstat, rm } from '../../platform/files/fenced-fs.ts'
import { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import { RecentFile, Settings } from '../../../wire/shapes.ts'
import { isMissing } from '../../platform/files/atomic-file.ts'
import { withLock } from '../../platform/files/file-lock.ts'
import { keepAside } from '../../platform/files/keep-aside.ts'
import { jsonAs } from '../../platform/json.ts'
import type { ReadText } from './topic-file.ts'

export const Recent = RecentFile.omit({ missing: true })

const OlderState = z.object({
  version: z.literal(1),
  settings: Settings,
  recent: z.array(Recent).max(1000),
  folders: z.array(z.string()).max(1000).default([]),
})
type OlderState = Readonly<z.infer<typeof OlderState>>

/** The single file that once held all state. It is read until it has been taken over, and never written. */
interface OlderFile {
  read(): Promise<OlderState | null | 'unread'>
  /** [F19] Lets `take` store all of it elsewhere. The file is removed only after that. */
  takeOver(take: (state: OlderState) => Promise<void>): Promise<void>
}

export function openOlderState(
  path: string,
  say: (line: string) => void,
  readText: ReadText,
): OlderFile {
  async function read(): Promise<OlderState | null | 'unread'> {
    let text: string
    try {
      text = await readText(path)
    } catch (error) {
      if (isMissing(error)) return null
      say(`${path}: settings could not be read (${messageOf(error)}). Defaults are used.`)
      return 'unread'
    }
    const state = jsonAs(OlderState, text)
    return state ?? (await moved(text))
  }

  async function moved(text: string): Promise<null | 'unread'> {
    try {
      await withLock(path, async () => {
        // Another process may have been here before.
        if ((await readText(path).catch(() => null)) !== text) return
        const aside = await keepAside(path)
        const what = 'not a state file of Turnscope. Defaults are used'
        say(`${path}: ${what}; the old file is kept as ${aside}.`)
      })
      return null
    } catch (error) {
      say(`${path}: not a state file of Turnscope (${messageOf(error)}). Defaults are used.`)
      return 'unread'
    }
  }

  /** Removes the lock of a process that ended right after taking over. No other code would remove it. */
  async function clean(): Promise<void> {
    if ((await lstat(`${path}.lock`).catch(() => null)) === null) return
    await withLock(path, () => Promise.resolve())
  }

  return {
    read,
    takeOver: async (take) => {
      const there = await read()
      if (there === null) await clean()
      if (there === null || there === 'unread') return
      await withLock(path, async () => {
        const state = await read()
        if (state === null || state === 'unread') return
        await take(state)
        await rm(path, { force: true })
      })
    },
  }
}
