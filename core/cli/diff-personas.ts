import { isDeepStrictEqual } from 'node:util'
import type { ProbeOptions } from '../engine/schema/probe.ts'
import type { Session } from '../engine/schema/session.ts'
import type { Workspace } from '../host/files/workspace.ts'
import { messagesOf } from '../host/session/messages.ts'
import type { Personas } from '../wire/internal/session.ts'
import { type ProbeWanted, openReplayProbe } from './replay-probe.ts'

/** Personas of both sides, session by session. */
export interface ComparedPersonas {
  /** A sentence where nothing was asked. */
  of(file: string, session: Session): Promise<Personas | string>
  close(): Promise<void>
}

const ALIKE = 'both sides probe alike'
const LEFT_OUT = '--no-probe leaves them out'

/**
 * [T81] The persona of each message under both sides, as the window says it. A sentence where the answer
 * is known beforehand: nothing is loaded then.
 */
export async function comparePersonas(
  workspace: Workspace,
  { here, there }: { readonly here: ProbeOptions; readonly there: ProbeOptions },
  wanted: ProbeWanted,
): Promise<ComparedPersonas | string> {
  if (isDeepStrictEqual(here, there)) return ALIKE
  if (wanted.probe === false) return LEFT_OUT
  const probe = await openReplayProbe(workspace, { ...wanted, options: here })
  const personasUnder = async (file: string, session: Session, options: ProbeOptions) => {
    const probing = probe.session(file, options)
    const rows: Array<[number, string]> = []
    for (const message of messagesOf(session)) {
      const found = await probing.next(message)
      if (found === null) return probing.why()
      rows.push([message.seq, found.persona.persona ?? 'none'])
    }
    return rows
  }
  return {
    of: async (file, session) => {
      const own = await personasUnder(file, session, here)
      if (typeof own === 'string') return own
      const other = await personasUnder(file, session, there)
      return typeof other === 'string' ? other : { here: own, there: other }
    },
    close: () => probe.close(),
  }
}
