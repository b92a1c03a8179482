import { compileDomains } from '../engine/matcher/domains.ts'
import { loadDomains } from '../engine/matcher/load-domains.ts'
import { prepareScan } from '../engine/matcher/scan.ts'
import { signalNames } from '../engine/lab/corpus/signal-name.ts'
import {
  type Pipeline,
  type TurnOutcome,
  createPipeline,
  initialBeliefState,
  stepTurn,
} from '../engine/pipeline.ts'
import { type Problem, formatProblem } from '../engine/result.ts'
import { allWords } from '../engine/schema/issue-words.ts'
import { Preset } from '../engine/schema/preset.ts'
import { ModelProfile } from '../engine/schema/profile.ts'
import type * as Api from './turnscope-engine.d.ts'

/** [F191] See `turnscope-engine.d.ts`, which this is checked against and which ships. */
export const createClassifier: typeof Api.createClassifier = (parts) => {
  const pipeline = pipelineOf(parts)
  const names = signalNames(pipeline)
  return {
    warnings: parts.profile === undefined ? [] : pipeline.gate.warnings,
    classify: (text, state = initialBeliefState) => {
      prepareScan(pipeline.signals)
      return decided(stepTurn(pipeline, state, text), names)
    },
  }
}

function decided(outcome: TurnOutcome, names: readonly string[]): Api.Decided {
  const { primary, secondary, signature, event, fired, enrichment, state } = outcome
  return {
    primary: primary.domain,
    secondary: secondary?.domain ?? null,
    confidence: primary.confidence,
    secondaryConfidence: secondary?.confidence ?? null,
    signature,
    momentum: state.momentum,
    event,
    enrichment,
    state,
    fired: fired.map((number) => names[number] ?? ''),
  }
}

function pipelineOf({ domains, preset: given, profile }: Api.Parts): Pipeline {
  const preset = Preset.safeParse(given)
  if (!preset.success) throw new Error(`the preset: ${allWords(preset.error, 'it')}`)
  const model = ModelProfile.nullable().safeParse(profile ?? null)
  if (!model.success) throw new Error(`the profile: ${allWords(model.error, 'it')}`)
  const file = must(loadDomains(domains, 'domains'))
  const set = must(compileDomains(file, { asciiBoundaries: preset.data.belief.asciiBoundaries }))
  return must(createPipeline(set, preset.data, model.data))
}

function must<T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: readonly Problem[] },
): T {
  if (result.ok) return result.value
  throw new Error(result.error.map(formatProblem).join('; '))
}
