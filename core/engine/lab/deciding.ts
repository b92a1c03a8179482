import type { Pipeline } from '../pipeline.ts'
import { createClassScores } from './class-scores.ts'
import { changedClasses, changedPlaces, changedSignals, classesOf } from './corpus-classes.ts'
import type { Corpus, ScoredCorpus } from './corpus.ts'
import { startFold, type Fold } from './fold.ts'
import type { Folding, FoldNames } from './fold-rules.ts'
import { insideOf, type Inside } from './inside.ts'
import { identityOf } from '../matcher/identity.ts'
import type { Found } from './scan-turns.ts'
import { planSlots, type ScoreClasses } from './score-class.ts'
import { createUnmoved } from './unmoved.ts'

interface Decided {
  readonly corpus: Corpus
  readonly pipeline: Pipeline
  /** An earlier answer, by any scorer. */
  readonly previous: ScoredCorpus | undefined
  readonly names: FoldNames
  readonly classes: ScoreClasses
  readonly folding: Folding
}

/** Decides the turns of a corpus under one pipeline: all of them, or a beginning. */
export interface Deciding {
  /** From what was found on the turns before `until`; the answer is filled by the steps. */
  begin(found: readonly Found[], until: number): Pick<Fold, 'steps'> & { readonly inside: Inside }
}

/** [T5] What the rules make of matches, starting from an earlier answer where there is one. */
export function createDeciding({
  corpus,
  pipeline,
  previous,
  names,
  classes,
  folding,
}: Decided): Deciding {
  const plan = planSlots(pipeline, classes)
  const identities = pipeline.signals.map(identityOf)
  const known = previous === undefined ? undefined : insideOf(previous)
  const near = known?.names === names ? known : undefined
  const ofClass = createClassScores(pipeline, plan, classes)
  const outcomes = folding.outcomes(pipeline.belief, ofClass.scored)

  function changes(next: Pick<Inside, 'plan' | 'found' | 'identities'>, until: number) {
    if (near === undefined || previous === undefined) return { ofTurns: null, unmoved: null }
    const changed = changedSignals(near, next)
    const places = changedPlaces(previous.pipeline, pipeline, changed)
    const { scoreIn } = ofClass
    return {
      ofTurns: changedClasses(near, next, changed, { classes, until }),
      unmoved: places && createUnmoved({ pipeline, names, folding, places, scoreIn }),
    }
  }

  return {
    begin: (found, until) => {
      const next = { plan, found, identities }
      const { ofTurns, unmoved } = changes(next, until)
      const all = ofTurns ?? classesOf(corpus.turns, next, classes)
      const fold = startFold(corpus, { folding, outcomes, unmoved }, all, near?.folded ?? null)
      return { inside: { ...next, folded: fold.folded, names, classes }, steps: fold.steps }
    },
  }
}
