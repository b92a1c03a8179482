import { parseSignature } from '../belief/score.ts'
import type { Pipeline } from '../pipeline.ts'
import { primaryOf, secondaryOf, type Folding, type FoldNames } from './fold-rules.ts'

/** Whether the outcome of another class in this state is also the outcome of class `one` in it. */
export type Unmoved = (outcome: number, one: number, state: number) => boolean

interface Edited {
  /** The one after the edit. */
  readonly pipeline: Pipeline
  readonly names: FoldNames
  readonly folding: Folding
  /** Places of the domains, in the pipeline, of which signals came, went or match elsewhere. */
  readonly places: readonly number[]
  /** Score of the domain at this place in a class after the edit; null: it does not match. */
  readonly scoreIn: (one: number, place: number) => number | null
}

/**
 * [L105] An edit gives a turn another class, but its outcome stays where the edited domain decides nothing:
 * it was neither first nor second of the text, is held by no momentum, was not shown, and scores now less
 * than the first and the second. Then both are the same as before, and momentum sees the same turn. Two
 * things look at all domains: several that fire together (K12), and a default domain that yields (B5),
 * which is first only where no other could be. There nothing is said. Null: nothing can be said of any turn.
 */
export function createUnmoved({
  pipeline,
  names,
  folding,
  places,
  scoreIn,
}: Edited): Unmoved | null {
  const { set, rules } = pipeline.belief
  if (rules.allTogether) return null
  const edited = places.map((place) => names.domainOf(set.domains[place]?.name ?? ''))
  const yielding = names.domainOf(rules.options.defaultDomain)
  const isEdited = (domain: number): boolean => edited.includes(domain)
  // By number of a state: 0 = not looked at yet.
  const held: number[] = []

  function holds(state: number): boolean {
    const known = held[state] ?? 0
    if (known !== 0) return known === 1
    const domains = parseSignature(names.state(state).signature)
    const found = domains.some((domain) => isEdited(names.domainOf(domain)))
    held[state] = found ? 1 : 2
    return found
  }

  return (outcome, one, state) => {
    const text = folding.text(outcome)
    const shown = folding.shown(outcome)
    if (primaryOf(text) === yielding || isEdited(primaryOf(text))) return false
    if (isEdited(secondaryOf(text)) || isEdited(primaryOf(shown))) return false
    if (isEdited(secondaryOf(shown)) || holds(state)) return false
    const floor = folding.floor(outcome)
    return places.every((place) => (scoreIn(one, place) ?? -Infinity) < floor)
  }
}
