import { type HookAnswer, createHookAnswerer } from '../../host/hook/answer.ts'
import { parseHookArguments } from '../../host/hook/arguments.ts'
import type { Asked } from '../../host/hook/ask.ts'
import { keepProblems } from '../../host/hook/problems.ts'
import { compilePatternsAtOnce } from '../../host/rules/compile-patterns.ts'
import { HOME } from '../../place.ts'
import { packageVersion } from '../../version.ts'
import { say, sayFault } from './hook-entry.ts'

/** [F170] The answer to a prompt if no host is used. */
async function answerHere(asked: Asked): Promise<HookAnswer> {
  const call = parseHookArguments(asked.args, asked)
  if (!call.ok) {
    await keepProblems(asked.folder, { at: asked.at, agent: 'unknown' }, [call.error])
    return { out: '', problems: [call.error] }
  }
  compilePatternsAtOnce()
  const answerer = createHookAnswerer({ shipped: HOME, version: packageVersion() })
  const said = await answerer.answer(call.value)
  await keepProblems(asked.folder, call.value, said.problems)
  return said
}

/** [F171] The same, said on standard output. Never fails, and the exit code stays 0. */
export async function answerOnStdout(asked: Asked): Promise<void> {
  try {
    await say(await answerHere(asked))
  } catch (error) {
    await sayFault(error)
  }
}
