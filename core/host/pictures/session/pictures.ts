import { drawBudget } from '../../../engine/draw/budget.ts'
import type { About, Decided } from '../../../engine/draw/frame.ts'
import { drawSessions } from '../../../engine/draw/sessions.ts'
import { drawTimeline } from '../../../engine/draw/timeline.ts'
import { drawTransitions } from '../../../engine/draw/transitions.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import type { Compared, Decider } from '../../../engine/schema/compare.ts'
import type {
  Picture,
  PictureKind,
  PictureTheme,
  TurnRange,
} from '../../../engine/schema/picture.ts'
import type { CallContext } from '../../../wire/rpc.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { createAnswerService } from '../../turns/session/answers.ts'
import { createBundleHandlers } from '../../bundle/session/bundle-handlers.ts'
import { otherReplay } from '../../compare/session/compare.ts'
import { AS_IT_RAN, aboutOf, budgetFacts, decidedBy } from './picture-parts.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import type { Waiting } from '../../replay/session/replays.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { mainSessions, stripFrom } from './strips.ts'

/** The picture to draw. */
interface PictureRequest {
  readonly key: string
  readonly session: number
  readonly kind: PictureKind
  readonly config: Decider
  readonly compare: Compared | null
  readonly turns: TurnRange | null
  readonly theme: PictureTheme
}

/** [U150] Draws open sessions. Window, exported page and command line use the same function. */
interface Pictures {
  draw(request: PictureRequest, waiting: Waiting): Promise<Picture>
}

type Asked = PictureRequest & { readonly about: About }

/** Rejects a range that contains no turn. */
function refuseEmpty({ turns }: PictureRequest, { columns }: SessionReplay): void {
  if (turns === null || turns[0] <= columns.turns) return
  throw refusal({
    what: `there is no turn ${turns[0]}`,
    where: 'this session',
    do: `It has ${columns.turns} under these options`,
  })
}

/** Sources for pictures of budgets. */
interface Parts {
  readonly service: SessionService
  readonly answers: ReturnType<typeof createAnswerService>
  readonly bundles: ReturnType<typeof createBundleHandlers>
}

async function budgetPicture(
  { service, answers, bundles }: Parts,
  { about, ...asked }: Asked,
  { signal }: CallContext,
): Promise<Picture> {
  const { config } = asked
  if ('kind' in config)
    throw refusal({
      what: 'a draft has no budget of its own',
      where: 'pictures',
      do: 'Choose a preset',
    })
  const { preset } = config
  const choice = { preset, estimator: null, budgets: {}, root: null }
  const { steps } = await bundles['bundle.session']({ ...asked, choice }, { signal })
  if (steps.length > 0) return drawBudget(budgetFacts(about, steps, null))
  const columns = await answers.queries({ ...asked, config }, { signal })
  const { estimator } = (await service.compiled(config)).pipeline.preset.prompt
  return drawBudget(budgetFacts(about, [], { columns, estimator }))
}

export function createPictures(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): Pictures {
  const parts: Parts = {
    service,
    answers: createAnswerService(service, workspace.roots, limit),
    bundles: createBundleHandlers(service, workspace),
  }

  async function decided(decider: Compared): Promise<Decided> {
    if ('kind' in decider && decider.kind === 'observed') return AS_IT_RAN
    return decidedBy(await service.files(decider), decider)
  }

  async function replays(request: PictureRequest, session: number, waiting: Waiting) {
    const address = { key: request.key, session }
    const base = await service.replay(address, request.config, waiting)
    const { compare } = request
    if (compare === null) return { base, other: null }
    const { replay } = await otherReplay(service, { address, base, compare }, waiting)
    return { base, other: replay }
  }

  async function sessions({ about, ...asked }: Asked, waiting: Waiting): Promise<Picture> {
    const { transcript } = service.opened(asked.key)
    const { name } = service.file(asked.key)
    const strips = []
    for (const [index, session] of mainSessions(transcript))
      strips.push(stripFrom(session, name, await replays(asked, index, waiting)))
    return drawSessions({ ...about, title: name, strips, unread: 0, left: 0 })
  }

  async function ofTurns({ about, ...asked }: Asked, waiting: Waiting): Promise<Picture> {
    const { base, other } = await replays(asked, asked.session, waiting)
    refuseEmpty(asked, base)
    const facts = { ...about, columns: base.columns, range: asked.turns }
    if (asked.kind === 'transitions')
      return drawTransitions({ ...facts, other: other?.columns ?? null })
    const compared = other && { columns: other.columns, flips: diffReplays(base, other) }
    return drawTimeline({ ...facts, other: compared })
  }

  return {
    draw: async (request, waiting) => {
      const { kind, config, compare, theme } = request
      const { title } = service.session(request)
      // A budget is of one preset.
      const against = compare === null || kind === 'budget' ? null : await decided(compare)
      const about = aboutOf({
        theme,
        against,
        side: await decided(config),
        title: title || service.file(request.key).name,
      })
      const asked = { ...request, about }
      if (kind === 'budget') return budgetPicture(parts, asked, waiting)
      return kind === 'sessions' ? sessions(asked, waiting) : ofTurns(asked, waiting)
    },
  }
}
