import { modelsOf, profileAdvice } from '../../engine/belief/profile-match.ts'
import { IMPORTERS } from '../../engine/import/table.ts'
import type { Handlers, HandlersOf } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { CODEBOOK_PLACES, readCodebook } from '../workspace/codebook.ts'
import { profileNames } from '../workspace/profile-names.ts'
import { eventIndex } from '../transcripts/transcript.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { offerAutomaton } from '../automata/current.ts'
import { createSides } from '../drafts/sides.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { refusal, valueOrRefuse } from '../platform/threads/refusal.ts'
import { createPipelines } from '../rules/pipelines.ts'
import { describeDomains, describeWorkspace } from '../sessions/session/describe.ts'
import { type AnsweredOnDemand, handlersOnDemand } from './session-handlers-on-demand.ts'
import type { Priority } from '../platform/threads/priority.ts'
import { readRaw, draftMarks, shownRows } from '../turns/session/rows.ts'
import { replayStream } from '../compare/session/replay-stream.ts'
import { type SessionService, createSessionService } from '../sessions/session/service.ts'
import { writeOutSoon } from '../platform/threads/write-out-soon.ts'

/** A session thread's side of every method. */
export function createSessionHandlers(
  workspace: Workspace,
  priority: Priority,
): Handlers<SessionContract> {
  const pipelines = createPipelines()
  const limit = createTimeLimit()
  const sides = createSides(workspace)
  const service = createSessionService(workspace, pipelines, limit, sides)
  return {
    ...sessionHandlers(service, workspace),
    ...handlersOnDemand({ service, workspace, limit, priority, sides, pipelines }),
    'codebook.get': async () => ({
      ...(await readCodebook(workspace.root)),
      places: [...CODEBOOK_PLACES],
    }),
    'lab.marks': (input) => draftMarks(service, sides, input),
    'host.domains': (names) => describeDomains(workspace, pipelines.domainSet, names),
    'workspace.warm': async ({ config }) => {
      offerAutomaton((await service.compiled(config)).pipeline.signals)
      return {}
    },
    'workspace.describe': async () => ({
      ...(await describeWorkspace(workspace, {
        compile: pipelines.domainSet,
        onDefault: ({ signals }) => writeOutSoon(signals, priority.turn),
      })),
      formats: IMPORTERS.map(({ name, label }) => ({ name, label })),
    }),
  }
}

function sessionHandlers(
  service: SessionService,
  workspace: Workspace,
): Omit<HandlersOf<SessionContract, 'session'>, AnsweredOnDemand> {
  return {
    'session.open': ({ key, file }, { signal }) => service.open(key, file, signal),
    'session.follow': ({ key }, { signal }) => service.follow(key, signal),
    'session.close': ({ key }) => (service.close(key), {}),
    'session.index': (input) => eventIndex(service.session(input), input.from),
    'session.replay': (input, { signal }) => replayStream(service, input, signal),
    'session.rows': (input) => shownRows(service, input),
    'session.trace': async (input, { signal }) => {
      const replay = await service.replay(input, input.config, { signal })
      if (input.turn >= replay.columns.turns) {
        throw refusal({
          what: `there is no turn ${input.turn + 1}`,
          where: 'this session',
          do: `It has ${replay.columns.turns} under these options`,
        })
      }
      return service.trace(replay, input.turn)
    },
    'session.raw': async (input) => {
      const event = service.session(input).events[input.seq]
      if (!event) {
        throw refusal({
          what: 'there is no such event',
          where: `${input.seq}`,
          do: 'Open it again',
        })
      }
      const raw = await readRaw(service.opened(input.key), event.source)
      return { ...event.source, ...valueOrRefuse(raw) }
    },
    'session.profile': async ({ profile, ...of }) => {
      const models = modelsOf(service.session(of).events)
      return { advice: profileAdvice(models, await profileNames(workspace), profile) }
    },
    'session.problems': ({ key }) => {
      const { problems, problemTotal } = service.opened(key).transcript
      return { problems, total: problemTotal }
    },
    'session.line': async ({ key, ...place }) =>
      valueOrRefuse(await readRaw(service.opened(key), place)),
  }
}
