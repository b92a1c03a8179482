import type { Sides } from '../shared/drafts/sides.ts'
import type { TimeLimit } from '../shared/guard.ts'
import type { Pipelines } from '../shared/pipelines.ts'
import type { Workspace } from '../files/workspace.ts'
import { later, laterOf } from './later.ts'
import type { Priority } from './priority.ts'
import type { SessionService } from './service.ts'

const ANSWERS = [
  ...(['session.answers', 'session.response', 'session.prompt'] as const),
  'playground.compose',
] as const
const COMPARISONS = [
  ...(['session.compare', 'session.causes', 'session.probeOptions'] as const),
  'session.flipTexts',
] as const
const FINDING = ['session.find', 'session.excerpts', 'session.tools'] as const

/** Methods of sessions among those that are loaded when asked. */
export type AnsweredOnDemand =
  (typeof ANSWERS)[number] | (typeof COMPARISONS)[number] | (typeof FINDING)[number]

interface Around {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly priority: Priority
  readonly sides: Sides
  readonly pipelines: Pipelines
}

/** What is asked of an opened session. */
function ofSessions({ service, workspace, limit, pipelines }: Around) {
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
  }
}

/** What is asked of the workspace, and across sessions. */
function ofWorkspace({ service, workspace, limit, priority, sides }: Around) {
  return {
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

/** [F133] What a file that is being opened does not need. */
export const handlersOnDemand = (around: Around) => ({
  ...ofSessions(around),
  ...ofWorkspace(around),
})
