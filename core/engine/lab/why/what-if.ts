import { isValueOf } from '../../belief/options.ts'
import type { BeliefOptions } from '../../schema/preset.ts'
import type { SLIDERS, WhatIf } from '../../schema/lab.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { diffCorpus } from '../flips/flips.ts'
import { measureCorpus } from '../metrics/metrics-corpus.ts'
import { patchPipeline } from './patch.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'

/** An option of a slider. */
export type Slider = (typeof SLIDERS)[number]

function optionsWith(option: Slider, value: number | null): Partial<BeliefOptions> {
  return { [option]: value }
}

/**
 * [T17] The whole corpus under other values of one option, each beside the configuration at hand:
 * flips (any field) by cause, labelled turns fixed and broken, and right answers with their counts.
 * Values that no preset could have (`isValueOf`) are left out.
 */
export function* whatIf(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  question: { readonly option: Slider; readonly values: ReadonlyArray<number | null> },
  rescore: Rescore,
): Work<readonly WhatIf[]> {
  const values = question.values.filter((value) => isValueOf(question.option, value))
  const points: WhatIf[] = []
  for (const [done, value] of values.entries()) {
    const at = { done, total: values.length }
    yield at
    const pipeline = patchPipeline(scored.pipeline, {
      options: optionsWith(question.option, value),
    })
    const after = yield* partOf(rescore(pipeline, scored), at)
    const {
      total: flips,
      direct,
      momentum,
      fixed,
      broken,
    } = diffCorpus(scored, after, labels, {
      most: 0,
    })
    const { strict, withAlternatives } = measureCorpus(after, labels)
    points.push({ value, flips, direct, momentum, fixed, broken, strict, withAlternatives })
  }
  return points
}
