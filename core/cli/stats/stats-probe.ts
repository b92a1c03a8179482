import { addHitRates, hitRateOf, noHitRate } from '../../engine/probe/hit-rate.ts'
import type { HitRate } from '../../engine/schema/hit-rate.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { messagesOf } from '../../host/turns/session/messages.ts'
import { notice } from '../../host/platform/terminal.ts'
import { openReplayProbe } from '../replay/replay-probe.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { readFile } from '../replay/replayer.ts'
import { rightCells } from '../kit/table.ts'

/** [D71] How often the probe finds something, by session and in all. */
export interface ProbeStats {
  readonly sessions: ReadonlyArray<{
    readonly file: string
    readonly session: string
    readonly title: string
    readonly rate: HitRate
  }>
  readonly total: HitRate
  /** Why sessions were not probed; each reason once. */
  readonly absent: readonly string[]
}

interface Wanted {
  readonly preset: string
  readonly samples?: boolean | undefined
}

/** Probes every session by itself, one after the other; nothing is kept of a message but the counts. */
export async function probeStats(
  workspace: Workspace,
  files: readonly string[],
  wanted: Wanted,
): Promise<ProbeStats> {
  const probe = await openReplayProbe(workspace, { ...wanted, probe: true })
  const sessions: Array<ProbeStats['sessions'][number]> = []
  const absent = new Set<string>()
  try {
    for (const file of files) {
      const { transcript } = await readFile(file, workspaceFormats(workspace))
      for (const session of transcript.sessions) {
        const probing = probe.session(file)
        let rate = noHitRate
        for (const message of messagesOf(session)) {
          const found = await probing.next(message)
          if (found !== null) rate = addHitRates(rate, hitRateOf(found))
        }
        if (probing.why() !== '') absent.add(probing.why())
        else sessions.push({ file, session: session.id, title: session.title, rate })
      }
    }
  } finally {
    await probe.close()
  }
  for (const why of absent) notice(`not probed: ${why}`)
  const total = sessions.reduce((sum, { rate }) => addHitRates(sum, rate), noHitRate)
  return { sessions, total, absent: [...absent] }
}

const WIDTH = 10
const HEADS = ['messages', 'probed', 'hit', 'strong', 'moderate', 'weak', 'failed']

function cellsOf({ messages, skipped, hit, strength, failed }: HitRate) {
  const { strong, moderate, weak } = strength
  return [messages, messages - skipped, hit, strong, moderate, weak, failed]
}

/** A table: a line a session, the sum, then the collections. */
export function probeStatsText({ sessions, total }: ProbeStats): string {
  if (sessions.length === 0) return 'probe: no session was probed\n'
  const line = (rate: HitRate, name: string) => `${rightCells(cellsOf(rate), WIDTH)}  ${name}`
  return [
    'probe',
    rightCells(HEADS, WIDTH),
    ...sessions.map(({ rate, file, title }) => line(rate, `${file}: ${title}`)),
    line(total, 'all sessions'),
    ...total.collections.map(
      ({ collection, primary, supplemental }) =>
        `${rightCells([primary, supplemental], WIDTH)}  ${collection} (primary, supplemental)`,
    ),
    '',
  ].join('\n')
}
