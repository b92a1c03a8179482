import type { LabelledRow } from '../core/cli/evaluate/evaluate.ts'
import { initialBeliefState, type Pipeline, stepTurn } from '../core/engine/pipeline.ts'

/** Turns of one fold that are right because of a signal, and turns that are wrong because of it. */
interface Worth {
  readonly fold: string
  readonly right: number
  readonly broken: number
}
interface SignalWorth {
  readonly domain: string
  readonly id: string
  readonly fired: number
  readonly folds: readonly Worth[]
}
type Owner = readonly [domain: string, id: string]

/** The primary of these signals: the default domain yields (B5), ties go to the smaller priority. */
function winner(owners: readonly Owner[], { belief, preset }: Pipeline): string {
  const { defaultDomain } = preset.belief
  const counts = new Map<string, number>()
  for (const [domain] of owners) {
    if (domain !== defaultDomain) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  const most = Math.max(0, ...counts.values())
  const best = belief.set.domains.filter(({ name }) => counts.get(name) === most)
  return best.toSorted((a, b) => a.priority - b.priority)[0]?.name ?? defaultDomain
}

/**
 * [L74] For every signal and fold: on how many turns taking it away makes a right answer wrong, and on how
 * many it makes a wrong one right. Each text on its own, strict labels.
 */
export function worthOfSignals(
  rows: readonly LabelledRow[],
  pipeline: Pipeline,
): readonly SignalWorth[] {
  const owners = pipeline.belief.set.domains.flatMap(({ name, signals }) =>
    signals.map((signal, at): Owner => [name, signal.id ?? String(at)]),
  )
  const turns = rows.map(({ text, primary, fold, source }) => {
    const hits = stepTurn(pipeline, initialBeliefState, text).fired.flatMap((number) => {
      const owner = owners[number]
      return owner === undefined ? [] : [owner]
    })
    return { primary, hits, fold: fold ?? source, isRight: winner(hits, pipeline) === primary }
  })
  const names = [...new Set(turns.map(({ fold }) => fold))].sort()
  return owners.map((owner): SignalWorth => {
    const fired = turns.filter(({ hits }) => hits.includes(owner))
    const flips = fired.filter(({ primary, hits, isRight }) => {
      const without = hits.filter((hit) => hit !== owner)
      return (winner(without, pipeline) === primary) !== isRight
    })
    const [domain, id] = owner
    const folds = names.map((fold): Worth => {
      const here = flips.filter((turn) => turn.fold === fold)
      const right = here.filter(({ isRight }) => isRight).length
      return { fold, right, broken: here.length - right }
    })
    return { domain, id, fired: fired.length, folds }
  })
}

/** One line a signal, those that break most first. */
export function worthLines(worths: readonly SignalWorth[]): readonly string[] {
  const sum = ({ folds }: SignalWorth): number =>
    folds.reduce((total, { right, broken }) => total + right - broken, 0)
  const lines = worths
    .toSorted((a, b) => sum(a) - sum(b))
    .map((worth) => {
      const cells = worth.folds.map(({ fold, right, broken }) => `${fold}: +${right} -${broken}`)
      const name = `${worth.domain}/${worth.id}`.padEnd(44)
      return `${String(sum(worth)).padStart(4)}  ${name} fired ${String(worth.fired).padStart(4)}  ${cells.join('  ')}`
    })
  return [
    'net   signal, turns on which it fired, by fold: turns right by it, turns broken by it',
    ...lines,
  ]
}
