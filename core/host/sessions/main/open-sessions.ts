import type { OpenSource } from '../../../wire/contract.ts'
import type { LocatedFile } from '../../../wire/internal/session.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { Prefetch } from './prefetch.ts'
import {
  borrow,
  type Held,
  hold,
  type OpenSession,
  type OpenStep,
  type Places,
  wholePath,
} from './held.ts'

/** Sessions of one port: closing the port closes them. */
export interface OpenSessions {
  open(source: OpenSource, signal: AbortSignal): AsyncGenerator<OpenStep, void>
  get(key: string): OpenSession
  /** A path as people write it, from where relative ones start. */
  whole(path: string): string
  /** Finds a file for one question about it, without opening it. */
  borrow<T>(source: OpenSource, ask: (file: LocatedFile) => Promise<T>): Promise<T>
  close(key: string): Promise<void>
  closeAll(): Promise<void>
}

/** @param prefetch [U201] data read before a window requested it */
export function createOpenSessions(places: Places, prefetch: Pick<Prefetch, 'take'>): OpenSessions {
  const sessions = new Map<string, Held>()

  async function* open(source: OpenSource, signal: AbortSignal): AsyncGenerator<OpenStep, void> {
    const begun = await prefetch.take(source)
    const held = begun?.held ?? (await hold(source, places))
    const { key, file, link } = held
    const steps = begun?.steps(signal) ?? link.stream('session.open', { key, file }, signal)
    let opened = false
    try {
      for await (const step of steps) {
        if (step.kind === 'opened') {
          opened = true
          sessions.set(key, held)
        }
        yield step
      }
    } finally {
      if (!opened) await held.release()
    }
  }

  const close = async (key: string) => {
    const held = sessions.get(key)
    sessions.delete(key)
    await held?.release()
  }

  return {
    open,
    whole: (path) => wholePath(path, places.base),
    borrow: (source, ask) => borrow(source, ask, places),
    get: (key) => {
      const session = sessions.get(key)
      if (session) return session
      throw refusal({ what: 'this session is not open', where: key, do: 'Open the file again' })
    },
    close,
    closeAll: async () => {
      await Promise.all([...sessions.keys()].map(close))
    },
  }
}
