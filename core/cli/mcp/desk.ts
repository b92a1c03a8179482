import { join } from 'node:path'
import { createLabelStore } from '../../host/labels/label-store.ts'
import { type FormatsOf, workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { listSamples } from '../../host/transcripts/samples.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import { liveFolder } from '../../host/hook/places.ts'
import { openStateStore } from '../../host/settings/main/state-store.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import { type SessionReplay, replaySession } from '../../host/replay/session/replay.ts'
import { createCutOffRun } from '../../host/platform/guard/cut-off-run.ts'
import { type ResolvedSide, type Sides, createSides } from '../../host/drafts/sides.ts'
import { type TimeLimit, createTimeLimit } from '../../host/platform/guard/guard.ts'
import { notice } from '../../host/platform/terminal.ts'
import type { Side } from '../../engine/schema/lab.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import { HOME } from '../../place.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { CommandError } from '../kit/output.ts'
import { placeOf } from '../trust/trusted.ts'
import { type Corpora, createCorpora } from './corpora.ts'
import { type Drafts, createDrafts } from './drafts.ts'
import { type Places, openPlaces } from './places.ts'

/** Options given when the server was started. */
export interface DeskOptions {
  readonly workspace: string
  readonly config: ReplayConfig
  readonly allow: readonly string[]
  readonly allowWrite: boolean
  readonly live: boolean
}

/** All that tools work with, for the time that the server runs. */
export interface Desk {
  readonly workspace: Workspace
  readonly places: Places
  readonly formats: FormatsOf
  readonly sides: Sides
  readonly config: ReplayConfig
  readonly drafts: Drafts
  readonly corpora: Corpora
  readonly limit: TimeLimit
  readonly mayWrite: boolean
  /** Folder of sessions that hooks recorded; null: not allowed, or the account has none. */
  readonly live: string | null
  recent(): ReturnType<ReturnType<typeof openStateStore>['recent']>
  resolve(side: Side): Promise<ResolvedSide>
  replay(side: ResolvedSide, session: Session, waiting: Waiting): Promise<SessionReplay>
}

/**
 * [F157] Opens the desk. Configurations are names of files of the workspace (I64), never paths. The files that the
 * workspace names are used only if the operator trusts them, as in every command. An agent cannot grant trust.
 */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  beginWithAutomata()
  const { config, allow, allowWrite } = options
  const workspace = openWorkspace(options.workspace, HOME, placeOf(options))
  const live = options.live ? liveFolder(process.env) : null
  const samples = (await listSamples(HOME)).map(({ path }) => path)
  const places = await openPlaces(workspace.root, allow, samples, live)
  const limit = createTimeLimit()
  const sides = createSides(workspace)
  const state = openStateStore(join(workspace.root, '.turnscope'), notice)
  const resolve = async (side: Side): Promise<ResolvedSide> => {
    const resolved = await sides.resolve(side)
    if (resolved.ok) return resolved.value
    throw new CommandError(resolved.error.problem)
  }
  return {
    workspace,
    places,
    sides,
    config,
    limit,
    live,
    resolve,
    mayWrite: allowWrite,
    formats: workspaceFormats(workspace),
    drafts: createDrafts(sides),
    corpora: createCorpora(workspace, places, createLabelStore(workspace.root)),
    recent: () => state.recent(),
    replay: ({ compiled }, session, waiting) =>
      replaySession(compiled, session, { limit, cutOffs: createCutOffRun(), ...waiting }),
  }
}
