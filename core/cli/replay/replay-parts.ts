import type { Session } from '../../engine/schema/session.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { notice } from '../../host/platform/terminal.ts'
import type { SessionReplay } from '../../host/replay/session/replay.ts'
import {
  type PartsOfTurns,
  type PartsWanted,
  openTurnParts,
} from '../../host/turns/session/turn-parts.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { flag } from '../kit/options.ts'
import { type ProbeWanted, openReplayProbe } from './replay-probe.ts'

/** [I95] The parts of a line in addition to the trace, with the option that omits each. */
export const PARTS = {
  query: flag('--no-query', 'leave out of a line of JSON the type of query of each message'),
  prompt: flag('--no-prompt', 'leave out of a line of JSON the composed prompt of each message'),
  selfSignals: flag(
    '--no-self-signals',
    'leave out of a line of JSON what responses say of themselves',
  ),
  verdicts: flag(
    '--no-verdicts',
    'leave out of a line of JSON what the coach’s rules say of outputs',
  ),
  probe: flag('--probe', 'for lines of JSON: probe with an embedder outside this machine too'),
  noProbe: flag('--no-probe', 'leave out of a line of JSON what the probe finds'),
  samples: flag('--samples', 'for lines of JSON: ask the sample collections too'),
}

/** Parts of the turns of several files. */
export interface ReplayParts {
  open(place: {
    readonly file: string
    readonly session: Session
    readonly replay: SessionReplay
  }): Promise<PartsOfTurns>
  close(): Promise<void>
}

/** [I95] Opens the workspace's prompts, coach and probe; says what cannot be had. */
export async function openParts(
  workspace: Workspace,
  wanted: PartsWanted & ProbeWanted & { readonly preset: string },
): Promise<ReplayParts> {
  const parts = await openTurnParts(workspace, createTimeLimit(), wanted)
  const probe = wanted.probe === false ? null : await openReplayProbe(workspace, wanted)
  if (parts.problem !== null && wanted.verdicts !== false) notice(`no verdicts: ${parts.problem}`)
  return {
    open: (place) => parts.open({ ...place, probing: probe?.session(place.file) ?? null }),
    close: async () => probe?.close(),
  }
}
