import { patternOfWords } from '../../../engine/lab/words/word-pattern.ts'
import type { Side } from '../../../engine/schema/lab.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { Reach } from '../../../engine/schema/reach.ts'
import type { Answer } from '../../../wire/method.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import { mayWrite } from '../../platform/files/atomic-file.ts'
import { createDraftStore } from './draft-store.ts'
import { editDomainText } from './draft-edit.ts'
import { withWeights } from './weight-edit.ts'
import type { DomainText } from '../../workspace/domains/text-places.ts'
import type { Sides } from '../sides.ts'
import { listSignals } from '../../workspace/domains/signal-list.ts'
import { reachSteps } from '../reach-steps.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createBreath, reporting, throttled } from '../../platform/threads/yielding.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SessionContract } from '../../../wire/threads.ts'

interface Sought {
  readonly domain: string
  readonly signal: number
  readonly pattern: string
}

/** [T79] A draft may have moved the signal: the nearest one of its pattern is meant. */
function lineOf(read: DomainText, { domain, signal, pattern }: Sought) {
  const { value } = read
  const index = value?.domains.findIndex(({ name }) => name === domain) ?? -1
  const signals = value?.domains[index]?.signals ?? []
  const patternOf = (one: (typeof signals)[number]) => (typeof one === 'string' ? one : one.pattern)
  const distance = (at: number) => Math.abs(at - signal)
  const [nearest] = [...signals.keys()]
    .filter((at) => signals.some((one, own) => own === at && patternOf(one) === pattern))
    .toSorted((a, b) => distance(a) - distance(b))
  const found = nearest ?? (signal < signals.length ? signal : null)
  if (index < 0 || found === null) return { line: null, signal: null }
  return { line: read.place(index, found).line, signal: found }
}

/** [U110] The signals of a side, beside those that are saved; it needs no corpus. */
async function signalsOf(sides: Sides, side: Side) {
  const resolved = await sides.resolve(side)
  if (!resolved.ok) throw refusal(resolved.error.problem)
  const { compiled, text, files } = resolved.value
  const before = await sides.saved(files.config)
  const now = before.ok ? { text: sides.read(before.value.text), times: null } : null
  const { domains } = compiled.pipeline.belief.set
  return { rows: [...listSignals(domains, { text, saved: now })] }
}

type ReachStep = Answer<SessionContract, 'draft.reach'>

/** [U184] Runs step by step, so that the thread can answer other calls meanwhile. */
async function* reachOf(
  sides: Sides,
  side: Side,
  signal: AbortSignal,
): AsyncGenerator<ReachStep, void> {
  const resolved = await sides.resolve(side)
  if (!resolved.ok) throw refusal(resolved.error.problem)
  const { value } = resolved
  yield yield* reporting<ReachStep, ReachStep>(async (report) => {
    const breath = createBreath(signal)
    const say = throttled((done, total) =>
      report({ kind: 'progress', phase: 'comparing', done, total }),
    )
    let all: readonly Reach[] = []
    for (const { done, total } of reachSteps(value, (found) => (all = found))) {
      say(done, total)
      await breath()
    }
    return { kind: 'reach', all: [...all] }
  })
}

/** Drafts of domain files: load, edit, keep, save; and what git knows of the file. */
export function createDraftHandlers(
  workspace: Workspace,
  sides: Sides,
  clock: () => number = () => Date.now(),
): HandlersOf<SessionContract, 'draft' | 'git'> {
  const store = createDraftStore(workspace, clock)
  const saved = async (config: ReplayConfig) => valueOrRefuse(await sides.saved(config))

  return {
    'draft.load': async ({ config }) => {
      const { file, text } = await saved(config)
      const { copy } = store.target(file)
      const writable = !copy && (await mayWrite(file.path))
      const draft = await store.current(file)
      return {
        text,
        file: file.shown,
        fingerprint: fingerprintOf(text),
        writable,
        draft: draft.text === text ? null : draft.text,
        problem: draft.problem,
      }
    },
    'draft.edit': ({ text, edit }) => ({ text: valueOrRefuse(editDomainText(text, edit)) }),
    'draft.weights': ({ text, weights, madeFrom }) => ({
      text: valueOrRefuse(withWeights(text, weights, madeFrom)),
    }),
    'draft.signals': ({ side }) => signalsOf(sides, side),
    'draft.reach': ({ side }, { signal }) => reachOf(sides, side, signal),
    'draft.line': ({ text, ...signal }) => lineOf(sides.read(text), signal),
    'draft.pattern': ({ words }) => ({ pattern: patternOfWords(words) }),
    'draft.keep': async ({ config, text, window }) => {
      const { file, text: before } = await saved(config)
      await store.keep(file, before, text, window)
      return {}
    },
    'draft.history': async ({ config }) => {
      const drafts = await store.history((await saved(config)).file)
      return { drafts: drafts.map(({ by: _, ...head }) => head) }
    },
    'draft.at': async ({ config, id }) => ({
      text: await store.at((await saved(config)).file, id),
    }),
    'draft.save': async ({ config, text, fingerprint }) => {
      const { file } = await saved(config)
      const [problem] = sides.read(text).problems
      if (problem !== undefined) {
        // [T46] A broken domain file would stop every replay; the draft is kept as it is.
        throw refusal({
          what: problem.what,
          where: `${file.shown}:${problem.line}:${problem.column}`,
          do: problem.do,
        })
      }
      return store.save(file, text, fingerprint)
    },
    'git.revisions': async ({ config }) => {
      const { file } = await saved(config)
      const revisions = await workspace.git.revisionsOf(file.path)
      if (revisions.ok) return { revisions: revisions.value, problem: null }
      return { revisions: [], problem: `${revisions.error.what}. ${revisions.error.do}` }
    },
  }
}
