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
import { kept } from '../../platform/kept.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createAnswerService } from '../../turns/session/answers.ts'
import { type RulesJudge, createRulesJudge } from '../../coach/session/judge.ts'
import { readCoachFiles } from '../../coach/session/prompt-files.ts'
import { changedAfter } from './afterwards.ts'
import { tryText } from './try-text.ts'
import type { SessionService } from '../../sessions/session/service.ts'

/** Rules of the coach that are kept ready: a cue that hung stays off until the file changes. */
const KEPT_RULES = 4

/** Texts tried at a place of a session that this thread holds, and branches of it. */
export function createScratchHandlers(
  service: SessionService,
  { roots, root, saves }: Pick<Workspace, 'roots' | 'root' | 'saves'>,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'scratch'> {
  const answers = createAnswerService(service, roots, limit)
  const judges = createLru<string, RulesJudge>(KEPT_RULES)

  async function judgeNow(): Promise<RulesJudge> {
    const { coach, rulesHash } = valueOrRefuse(await readCoachFiles(roots))
    return kept(judges, rulesHash, () => createRulesJudge(coach, limit))
  }

  return {
    'scratch.try': async ({ at, kind, text, ...asked }, context) => {
      const composing = await answers.composing(asked, context)
      const around = {
        ...composing,
        ...{ estimators: { o200k_base: await loadO200k() }, sources: readPromptSources(roots) },
        ...{ responses: await answers.responses(asked, context), signal: context.signal },
        judge: await judgeNow(),
      }
      context.signal.throwIfAborted()
      return tryText(around, at, { kind, text })
    },
    'scratch.after': async ({ key, from, written, config }, context) => {
      // One after the other: nobody would hear of the second one's failure, and the thread would end with it.
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
