import type { Handlers } from '../../wire/rpc.ts'
import { createCoachDesk } from './coach/service.ts'
import { describeDomains, describeWorkspace } from './describe.ts'
import { createTimeLimit } from '../shared/guard.ts'
import { refusal } from '../shared/names.ts'
import { createPipelines } from '../shared/pipelines.ts'
import { readRaw } from './raw.ts'
import { eventIndex } from '../files/transcript.ts'
import type { Workspace } from '../files/workspace.ts'
import { createCoachWorkerHandlers } from './coach-handlers.ts'
import type { WorkerContract } from './contract.ts'
import { createBundleHandlers } from './bundle-handlers.ts'
import { createDesk } from './service.ts'
import { createExportHandlers } from './export-handlers.ts'
import { createFindHandlers } from './find-handlers.ts'
import { createLabHandlers } from '../lab/handlers.ts'
import { createLibraryHandlers } from './library-handlers.ts'
import { createOracleHandlers } from './prompt-handlers.ts'
import { createProbeHandlers } from './probe-handlers.ts'
import type { Priority } from './priority.ts'
import { replayStream } from './replay-stream.ts'
import { shownRows } from './rows.ts'

/** The worker's side of every session method. */
export function createWorkerHandlers(
  workspace: Workspace,
  priority: Priority,
): Handlers<WorkerContract> {
  const pipelines = createPipelines()
  const limit = createTimeLimit()
  const desk = createDesk(workspace, pipelines, limit)
  return {
    ...createOracleHandlers(desk, workspace, limit),
    ...createBundleHandlers(desk, workspace),
    ...createFindHandlers(desk, limit),
    ...createExportHandlers(desk),
    ...createLibraryHandlers({ desk, limit, priority }),
    ...createCoachWorkerHandlers(desk, createCoachDesk(workspace.roots, limit)),
    ...createLabHandlers({ desk, workspace, limit }),
    ...createProbeHandlers(desk, workspace),
    'workspace.describe': () => describeWorkspace(workspace, pipelines.domainSet),
    'workspace.domains': (names) => describeDomains(workspace, pipelines.domainSet, names),
    'session.open': ({ key, path }, { signal }) => desk.open(key, path, signal),
    'session.follow': ({ key }, { signal }) => desk.follow(key, signal),
    'session.close': ({ key }) => (desk.close(key), {}),
    'session.index': (input) => eventIndex(desk.session(input), input.from),
    'session.replay': (input, { signal }) => replayStream(desk, input, signal),
    'session.rows': (input) => shownRows(desk, input),
    'session.trace': async (input, { signal }) => {
      const replay = await desk.replay(input, input.config, { signal })
      if (input.turn >= replay.columns.turns) {
        throw refusal({
          what: `there is no turn ${input.turn + 1}`,
          where: 'this session',
          do: `It has ${replay.columns.turns} under these options`,
        })
      }
      return desk.trace(replay, input.turn)
    },
    'session.raw': async (input) => {
      const event = desk.session(input).events[input.seq]
      if (!event) {
        throw refusal({
          what: 'there is no such event',
          where: `${input.seq}`,
          do: 'Open it again',
        })
      }
      const raw = await readRaw(desk.opened(input.key), event.source)
      if (!raw.ok) throw refusal(raw.error)
      return { ...event.source, ...raw.value }
    },
    'session.problems': ({ key }) => {
      const { problems, problemTotal } = desk.opened(key).transcript
      return { problems, total: problemTotal }
    },
    'session.line': async ({ key, ...place }) => {
      const raw = await readRaw(desk.opened(key), place)
      if (!raw.ok) throw refusal(raw.error)
      return raw.value
    },
  }
}
