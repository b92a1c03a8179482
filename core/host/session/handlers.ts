import { modelsOf, profileAdvice } from '../../engine/belief/profile-match.ts'
import { IMPORTERS } from '../../engine/import/table.ts'
import type { Handlers, HandlersOf } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { CODEBOOK_PLACES, readCodebook } from '../files/codebook.ts'
import { profileNames } from '../files/profile-names.ts'
import { eventIndex } from '../files/transcript.ts'
import type { Workspace } from '../files/workspace.ts'
import { type Sides, createSides } from '../shared/drafts/sides.ts'
import { type TimeLimit, createTimeLimit } from '../shared/guard.ts'
import { refusal, valueOrRefuse } from '../shared/refusal.ts'
import { type Pipelines, createPipelines } from '../shared/pipelines.ts'
import { describeDomains, describeWorkspace } from './describe.ts'
import { later, laterOf } from './later.ts'
import type { Priority } from './priority.ts'
import { readRaw, draftMarks, shownRows } from './rows.ts'
import { replayStream } from './replay-stream.ts'
import { type SessionService, createSessionService } from './service.ts'
import { writeOutSoon } from './warm.ts'

const ANSWERS = [
  ...(['session.answers', 'session.response', 'session.prompt'] as const),
  'playground.compose',
] as const
const COMPARISONS = [
  ...(['session.compare', 'session.causes', 'session.probeOptions'] as const),
  'session.flipTexts',
] as const
const FINDING = ['session.find', 'session.excerpts', 'session.tools'] as const

type ElsewhereAnswered =
  (typeof ANSWERS)[number] | (typeof COMPARISONS)[number] | (typeof FINDING)[number]

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
    'workspace.describe': async () => ({
      ...(await describeWorkspace(workspace, {
        compile: pipelines.domainSet,
        onDefault: ({ signals }) => writeOutSoon(signals, priority.turn),
      })),
      formats: IMPORTERS.map(({ name, label }) => ({ name, label })),
    }),
  }
}

interface Around {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly priority: Priority
  readonly sides: Sides
  readonly pipelines: Pipelines
}

/** [F133] What a file that is being opened does not need. */
function handlersOnDemand({ service, workspace, limit, priority, sides, pipelines }: Around) {
  return {
    ...later(ANSWERS, async () =>
      (await import('./answer-handlers.ts')).createAnswerHandlers(service, workspace, limit),
    ),
    ...later(COMPARISONS, async () => {
      const [{ createCompareHandlers }, { createSessionLabels }] = await Promise.all([
        import('./compare-handlers.ts'),
        import('./label-handlers.ts'),
      ])
      const labelsOf = createSessionLabels(service, workspace.root)
      const { domainSet } = pipelines
      return createCompareHandlers({ service, workspace, limit, domainSet, labelsOf })
    }),
    ...later(FINDING, async () =>
      (await import('./find-handlers.ts')).createFindHandlers(service, workspace, limit),
    ),
    ...laterOf(['bundle'], async () =>
      (await import('./bundle-handlers.ts')).createBundleHandlers(service, workspace),
    ),
    ...laterOf(['export'], async () =>
      (await import('./export-handlers.ts')).createExportHandlers(service),
    ),
    ...laterOf(['forms'], async () =>
      (await import('./form-handlers.ts')).createFormHandlers(service),
    ),
    ...laterOf(['page'], async () =>
      (await import('./page-handlers.ts')).createPageHandlers(service, workspace, limit),
    ),
    ...laterOf(['library'], async () =>
      (await import('./library-handlers.ts')).createLibraryHandlers({
        ...{ service, workspace, limit, priority },
      }),
    ),
    ...laterOf(['pictures'], async () =>
      (await import('./picture-handlers.ts')).createPictureHandlers({
        ...{ service, workspace, limit, priority },
      }),
    ),
    ...laterOf(['coach'], async () =>
      (await import('./coach-handlers.ts')).createCoachHandlers(service, workspace, limit),
    ),
    ...laterOf(['labels'], async () =>
      (await import('./label-handlers.ts')).createLabelHandlers(service, workspace),
    ),
    ...laterOf(['draft', 'git'], async () =>
      (await import('./drafts/handlers.ts')).createDraftHandlers(workspace, sides),
    ),
    ...laterOf(['probe'], async () =>
      (await import('./probe-handlers.ts')).createProbeHandlers(service, workspace),
    ),
    ...laterOf(['tour'], async () =>
      (await import('./tour-handlers.ts')).createTourHandlers(workspace),
    ),
    ...laterOf(['scratch'], async () =>
      (await import('./scratch-handlers.ts')).createScratchHandlers(service, workspace, limit),
    ),
    ...laterOf(['formats'], async () =>
      (await import('./format-handlers.ts')).createFormatHandlers(workspace),
    ),
  }
}

function sessionHandlers(
  service: SessionService,
  workspace: Workspace,
): Omit<HandlersOf<SessionContract, 'session'>, ElsewhereAnswered> {
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
