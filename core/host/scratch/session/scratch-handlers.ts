import { join } from 'node:path'
import { createLru } from '../../../engine/lru.ts'
import { sessionLines } from '../../../engine/redact/session-lines.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { readPromptSources } from '../../workspace/prompt-files.ts'
import { KEPT_SESSIONS } from '../../workspace/saves.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createAnswerService } from '../../turns/session/answers.ts'
import { type RulesJudge, createRulesJudge } from '../../coach/session/judge.ts'
import { readCoachFiles } from '../../coach/session/prompt-files.ts'
import { tryText } from './try-text.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import type { Replay } from '../../../engine/replay.ts'
import { EVENT_CODES, type ReplayColumns } from '../../../engine/schema/replay.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'

/** Rules of the coach that are kept ready: a cue that hung stays off until the file changes. */
const KEPT_RULES = 4

/** Texts tried at a place of a session in this thread, and branches of it. */
export function createScratchHandlers(
  service: SessionService,
  { roots, root, saves }: Pick<Workspace, 'roots' | 'root' | 'saves'>,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'scratch'> {
  const answers = createAnswerService(service, roots, limit)
  const judges = createLru<string, RulesJudge>(KEPT_RULES)

  async function judgeNow(): Promise<RulesJudge> {
    const { coach, rulesHash } = valueOrRefuse(await readCoachFiles(roots))
    return getOrMake(judges, rulesHash, () => createRulesJudge(coach, limit))
  }

  return {
    'scratch.try': async ({ at, kind, text, ...asked }, context) => {
      const composing = await answers.composing(asked, context)
      const around = {
        ...composing,
        estimators: { o200k_base: await loadO200k() },
        sources: readPromptSources(roots),
        responses: await answers.responses(asked, context),
        signal: context.signal,
        judge: await judgeNow(),
      }
      context.signal.throwIfAborted()
      return tryText(around, at, { kind, text })
    },
    'scratch.after': async ({ key, from, written, config }, context) => {
      // One after the other: in parallel, a failure of the second would be unhandled and end the thread.
      const recorded = await service.replay({ key, session: 0 }, config, context)
      const branch = await service.replay({ key, session: 1 }, config, context)
      return changedAfter(recorded, branch, { from, written })
    },
    'scratch.again': ({ key }, { signal }) => service.again(key, signal),
    'scratch.save': async ({ name, ...address }) => {
      const session = service.session(address)
      const path = join(root, KEPT_SESSIONS, `${name}.jsonl`)
      const own = { ...session, id: name, title: name }
      const text = [...sessionLines(own, null)].join('')
      const files = [{ path, before: null, text }]
      const answer = await saves.save({ kind: 'sessions', files })
      if (answer.kind === 'saved') return { path }
      const what = 'there is a file of this name already; nothing was written'
      throw refusal({ what, where: path, do: 'Choose another name' })
    },
  }
}

/** Point at which a branch leaves the recorded session. */
interface Fork {
  /** `seq` of the recorded event that was replaced. */
  readonly from: number
  /** Number of events that replace it. */
  readonly written: number
}

/** A turn of the rest that the branch decides otherwise. */
interface ChangedTurn {
  readonly seq: number
  readonly turn: number
  readonly was: string
  readonly is: string
}

/** Rows that are listed. */
const MOST_ROWS = 200

/**
 * [U163] Turns after the fork that the branch decides differently. The events there are the same in both, with shifted
 * numbers. The replaced event has no counterpart.
 */
function changedAfter(recorded: SessionReplay, branch: SessionReplay, fork: Fork) {
  const moved = movedBy(recorded, fork)
  const end = fork.from + fork.written
  const turns = branch.columns.seq.filter((seq) => seq >= end).length
  const changed = diffReplays(moved, branch).filter(
    ({ other }) => (branch.columns.seq[other] ?? -1) >= end,
  )
  const rows = changed.slice(0, MOST_ROWS).map(({ turn, other }): ChangedTurn => {
    const seq = branch.columns.seq[other] ?? 0
    return {
      seq,
      turn: other,
      was: shownAt(recorded.columns, turn),
      is: shownAt(branch.columns, other),
    }
  })
  return { turns, changed: changed.length, rows }
}

/** The recorded replay with the numbers that its events have in the branch. */
function movedBy({ states, columns }: SessionReplay, { from, written }: Fork): Replay {
  const seq = columns.seq.map((each) => {
    if (each < from) return each
    return each === from ? -1 : each + written - 1
  })
  return { states, columns: { ...columns, seq } }
}

/** Signature in force, and what momentum did. */
function shownAt({ domains, primary, secondary, event }: ReplayColumns, turn: number): string {
  const names = [primary[turn], secondary[turn]].flatMap((place) => domains[place ?? -1] ?? [])
  return `${names.toSorted().join('+')} (${EVENT_CODES[event[turn] ?? 0] ?? ''})`
}
