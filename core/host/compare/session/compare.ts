import { observedOf, observedReplay } from '../../../engine/lab/flips/observed.ts'
import type { Replay } from '../../../engine/replay.ts'
import type { Compared, Decider } from '../../../engine/schema/compare.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { coachOfSide } from '../../coach/session/rules-of-side.ts'
import type { StagedSide } from './compared-stages.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import type { Waiting } from '../../replay/session/replays.ts'
import type { SessionService } from '../../sessions/session/service.ts'

interface Asked {
  readonly address: { readonly key: string; readonly session: number }
  /** This side, replayed. */
  readonly base: SessionReplay
  readonly compare: Compared
}

/** The other side of a comparison. */
export interface OtherReplay {
  readonly replay: Replay
  /** The replay with all data for a trace. Null for an observed side, which has no rules. */
  readonly decided: SessionReplay | null
  /** Changes with the contents of the files that were compiled. */
  readonly key: string
  /** Number of turns with a record, if the other side is the observed one. */
  readonly recorded: number | null
}

/** [L50] The only place that creates the other side of a session, of any kind. */
export async function otherReplay(
  service: SessionService,
  { address, base, compare }: Asked,
  waiting: Waiting,
): Promise<OtherReplay> {
  if (!('kind' in compare) || compare.kind !== 'observed') {
    const decided = await service.replay(address, compare, waiting)
    return { replay: decided, decided, key: decided.compiled.key, recorded: null }
  }
  const { events, texts } = service.session(address)
  const observed = observedOf(events, base.columns.seq, texts)
  const replay = observedReplay(base, observed)
  return { replay, decided: null, key: `observed ${events.length}`, recorded: observed.size }
}

/** A replayed side of an opened session, with the data for its other stages. */
export function createStaging(
  service: SessionService,
  workspace: Workspace,
): (side: Decider, replay: SessionReplay) => StagedSide {
  return (side, replay) => ({
    replay,
    coach: async () => {
      const { domains } = await service.files(side)
      return coachOfSide(workspace, side, domains.file.path)
    },
  })
}
