import { hash } from 'node:crypto'
import type { Outcome } from '../../../engine/lab/flips/causes.ts'
import { formatProblem } from '../../../engine/result.ts'
import type { BundleOptions } from '../../../engine/schema/bundle.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { Breath } from '../../platform/threads/yielding.ts'
import { createStepBuilder } from './build-step.ts'
import { loadStepLibrary } from './step-library.ts'
import { stepsOf } from './steps.ts'
import { loadTokenizers } from './tokenizers.ts'

/**
 * [T83] Outcome of every recorded step's bundle under given options: its prompt, and how full its tiers are. Equal
 * outcomes mean equal bundles. Steps without a time all use the same moment.
 */
export async function stepOutcome(
  session: Session,
  roots: readonly string[],
  breath: Breath,
): Promise<(options: BundleOptions) => Promise<Outcome>> {
  const library = valueOrRefuse(loadStepLibrary(roots))
  const tokenizers = await loadTokenizers()
  const steps = stepsOf(session)
  const now = Date.now()
  return async (options) => {
    const shared = { library, tokenizers, options, budgets: null, estimator: null }
    const build = createStepBuilder({ ...shared, roots, named: null, now: () => now })
    const outcome = new Map<string, string>()
    for (const step of steps) {
      const built = build(step)
      const said = built.ok
        ? hash('sha256', JSON.stringify([built.value.prompt, built.value.report]))
        : formatProblem(built.error)
      outcome.set(`step ${step.seq}`, said)
      await breath()
    }
    return outcome
  }
}
