import { counted } from '../../engine/result.ts'
import type { ProbeOptions } from '../../engine/schema/probe.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { probesAlike } from '../../host/compare/session/compared-stages.ts'
import { messagesOf } from '../../host/turns/session/messages.ts'
import type { Personas } from '../../wire/internal/session.ts'
import { type ProbeWanted, openReplayProbe } from '../replay/replay-probe.ts'

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
  if (probesAlike(here, there)) return ALIKE
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

/** [T81] Sessions whose personas were not compared, and why: samples may be asked where others are not (D70). */
export function createLeftOut() {
  const reasons = new Map<string, number>()
  let sessions = 0
  return {
    /** @param personas as `ComparedPersonas` says them */
    count: (personas: Personas | string): void => {
      sessions += 1
      if (typeof personas === 'string') reasons.set(personas, (reasons.get(personas) ?? 0) + 1)
    },
    /** The reason alone where it is that of all sessions; null where all were compared. */
    said: (): string | null => {
      const all = [...reasons].map(([why, of]) =>
        of === sessions ? why : `${of} of ${counted(sessions, 'session')}: ${why}`,
      )
      return all.length === 0 ? null : all.join('; ')
    },
  }
}
