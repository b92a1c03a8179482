import type { Sides } from '../drafts/sides.ts'
import type { TimeLimit } from '../platform/guard/guard.ts'
import type { Pipelines } from '../rules/pipelines.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { lazyHandlers, lazyGroups } from '../platform/threads/lazy-handlers.ts'
import type { Priority } from '../platform/threads/priority.ts'
import type { SessionService } from '../sessions/session/service.ts'

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

/** Calls about an opened session. */
function ofSessions({ service, workspace, limit, pipelines }: Around) {
  return {
    ...lazyHandlers(ANSWERS, async () =>
      (await import('../turns/session/answer-handlers.ts')).createAnswerHandlers(
        service,
        workspace,
        limit,
      ),
    ),
    ...lazyHandlers(COMPARISONS, async () => {
      const [{ createCompareHandlers }, { createSessionLabels }] = await Promise.all([
        import('../compare/session/compare-handlers.ts'),
        import('../labels/session/label-handlers.ts'),
      ])
      const labelsOf = createSessionLabels(service, workspace.root)
      const { domainSet } = pipelines
      return createCompareHandlers({ service, workspace, limit, domainSet, labelsOf })
    }),
    ...lazyHandlers(FINDING, async () =>
      (await import('../find/session/find-handlers.ts')).createFindHandlers(
        service,
        workspace,
        limit,
      ),
    ),
    ...lazyGroups(['bundle'], async () =>
      (await import('../bundle/session/bundle-handlers.ts')).createBundleHandlers(
        service,
        workspace,
      ),
    ),
    ...lazyGroups(['context'], async () =>
      (await import('../context/session/context-handlers.ts')).createContextHandlers(
        service,
        workspace,
      ),
    ),
    ...lazyGroups(['export'], async () =>
      (await import('../export/session/export-handlers.ts')).createExportHandlers(service),
    ),
    ...lazyGroups(['forms'], async () =>
      (await import('../export/session/form-handlers.ts')).createFormHandlers(service, workspace),
    ),
    ...lazyGroups(['page'], async () =>
      (await import('../page/session/page-handlers.ts')).createPageHandlers(
        service,
        workspace,
        limit,
      ),
    ),
  }
}

/** Calls about the workspace, and across sessions. */
function ofWorkspace({ service, workspace, limit, priority, sides }: Around) {
  return {
    ...lazyGroups(['library'], async () =>
      (await import('../library/session/library-handlers.ts')).createLibraryHandlers({
        service,
        workspace,
        limit,
        priority,
      }),
    ),
    ...lazyGroups(['pictures'], async () =>
      (await import('../pictures/session/picture-handlers.ts')).createPictureHandlers({
        service,
        workspace,
        limit,
        priority,
      }),
    ),
    ...lazyGroups(['coach'], async () =>
      (await import('../coach/session/coach-handlers.ts')).createCoachHandlers(
        service,
        workspace,
        limit,
      ),
    ),
    ...lazyGroups(['labels'], async () =>
      (await import('../labels/session/label-handlers.ts')).createLabelHandlers(service, workspace),
    ),
    ...lazyGroups(['draft', 'git'], async () =>
      (await import('../drafts/session/handlers.ts')).createDraftHandlers(workspace, sides),
    ),
    ...lazyGroups(['probe'], async () =>
      (await import('../probe/session/probe-handlers.ts')).createProbeHandlers(service, workspace),
    ),
    ...lazyGroups(['tour'], async () =>
      (await import('../tours/session/tour-handlers.ts')).createTourHandlers(workspace),
    ),
    ...lazyGroups(['scratch'], async () =>
      (await import('../scratch/session/scratch-handlers.ts')).createScratchHandlers(
        service,
        workspace,
        limit,
      ),
    ),
    ...lazyGroups(['formats'], async () =>
      (await import('../mappings/session/format-handlers.ts')).createFormatHandlers(workspace),
    ),
  }
}

/** [F133] Handlers that opening a file does not need. */
export const handlersOnDemand = (around: Around) => ({
  ...ofSessions(around),
  ...ofWorkspace(around),
})
