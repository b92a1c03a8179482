import type { CompiledDomain } from '../matcher/domains.ts'
import type { EnrichmentPlan, Part, TurnTrace } from '../schema/trace.ts'
import type { BeliefOutcome } from './step.ts'

/** A domain of `_bst_compound`; patterns are written out, as in the document. */
export interface WrittenPart {
  readonly domain: string
  readonly confidence: number
  readonly matched_signals: readonly string[]
}

/** `_bst_compound`: the document's `CompoundClassification.to_dict()`. */
export interface WrittenCompound {
  readonly primary: WrittenPart
  readonly secondary: WrittenPart | null
  readonly compound_signature: string
  readonly momentum_turns: number
  readonly enrichment_plan: EnrichmentPlan
}

type Patterns = ReadonlyMap<string, Pick<CompiledDomain, 'signals'>>

function writtenPart(part: Part, patterns: Patterns): WrittenPart {
  const signals = patterns.get(part.domain)?.signals ?? []
  return {
    domain: part.domain,
    confidence: part.confidence,
    matched_signals: part.signals.flatMap((index) => signals[index]?.pattern ?? []),
  }
}

/** [E5] Shared state written by a turn: `_bst_domain` for old consumers, `_bst_compound` for new ones. */
export function toWritten(
  outcome: Pick<BeliefOutcome, 'primary' | 'secondary' | 'signature' | 'state' | 'plan'>,
  patterns: Patterns,
): TurnTrace['written'] & { readonly _bst_compound: WrittenCompound } {
  const { primary, secondary, signature, state, plan } = outcome
  return {
    _bst_domain: primary.domain,
    _bst_compound: {
      primary: writtenPart(primary, patterns),
      secondary: secondary === null ? null : writtenPart(secondary, patterns),
      compound_signature: signature,
      momentum_turns: state.momentum,
      enrichment_plan: plan,
    },
  }
}
