import { isReadAt, isValueOf } from '../../belief/options.ts'
import { keptIn } from '../../maps.ts'
import { BeliefOptions } from '../../schema/preset.ts'
import { candidateChanges, type Situation } from '../flips/changes.ts'
import { primaryUnder, type Retelling } from './counterfactual.ts'
import type { PipelinePatch } from './patch.ts'

/** One change of an option. */
export interface OptionEdit {
  readonly what: string
  readonly from: string
  readonly to: string
  /** Distance of numbers; 1 for a switch, and for a rule that comes or goes. */
  readonly size: number
  readonly patch: PipelinePatch
}

/** Values are tried up to this far from the one in force. */
const REACH = 8

type Counted = keyof {
  readonly [K in keyof BeliefOptions as BeliefOptions[K] extends number | null ? K : never]: K
}

function isCounted(name: keyof BeliefOptions): name is Counted {
  return isValueOf(name, REACH)
}

/** Whole-number options that matter to the decision once it is known which signals fired. */
const COUNTED = BeliefOptions.keyof()
  .options.filter(isCounted)
  .filter((name) => isReadAt('score', name) || isReadAt('decide', name))
function sizeOf(from: string, to: string): number {
  const distance = Math.abs(Number(to) - Number(from))
  return Number.isFinite(distance) && distance > 0 ? distance : 1
}

/** Values around the one in force, nearest first. Where a rule is off, its weakest setting comes first. */
function valuesAround(what: Counted, from: number | null): ReadonlyArray<number | null> {
  const steps = Array.from({ length: REACH }, (_, index) => index + 1)
  const least = isValueOf(what, 0) ? 0 : 1
  if (from === null) return steps.map((step) => least + REACH - step)
  return [...steps.flatMap((step) => [from - step, from + step]), null].filter((value) =>
    isValueOf(what, value),
  )
}

function countedEdits(options: BeliefOptions): readonly OptionEdit[] {
  return COUNTED.flatMap((what) => {
    const from = options[what]
    return valuesAround(what, from).map((value) => {
      const [shownFrom, shownTo] = [String(from ?? 'none'), String(value ?? 'none')]
      const size = sizeOf(shownFrom, shownTo)
      return { what, from: shownFrom, to: shownTo, size, patch: { options: { [what]: value } } }
    })
  })
}

function situationEdits(situation: Situation, domain: string): readonly OptionEdit[] {
  return candidateChanges(situation, domain).flatMap(({ what, from, to, patch }) =>
    patch === null ? [] : [{ what, from, to, size: sizeOf(from, to), patch }],
  )
}

/** Finds the option changes that suffice. Remembers what a change does: most are tried for every domain. */
export function createOptionSearch(told: Retelling, situation: Situation) {
  const known = new Map<string, string>()
  const common = countedEdits(situation.rules.options)
  const primaryOf = (edit: OptionEdit): string =>
    keptIn(known, `${edit.what}=${edit.to}`, () => primaryUnder(told, edit.patch))
  /** [T14] Of each option the smallest change with which the domain is the turn's primary. */
  return (domain: string): readonly OptionEdit[] => {
    const best = new Map<string, OptionEdit>()
    const edits = [...common, ...situationEdits(situation, domain)]
    for (const edit of edits) {
      const smaller = edit.size < (best.get(edit.what)?.size ?? Infinity)
      if (smaller && primaryOf(edit) === domain) best.set(edit.what, edit)
    }
    return [...best.values()].sort((a, b) => a.size - b.size)
  }
}
