import type { ProbeResult, QueryInContext, Strength } from '../schema/probe.ts'
import type { QueryClassification } from '../schema/query.ts'

type Found = Pick<ProbeResult, 'intent' | 'strength' | 'primary_collection'>

/** Strengths that classification may rely on: the document lets it ignore low-confidence hits. */
const RELIABLE: ReadonlySet<Strength> = new Set(['moderate', 'strong'])

function reason(before: QueryClassification, { strength, primary_collection }: Found): string {
  const named = `${primary_collection ?? ''} (${strength})`
  if (primary_collection === null) return 'Nothing was hit: the classification has no context.'
  if (!RELIABLE.has(strength)) return `Only a weak hit in ${named}: shown, and not relied on.`
  if (before.needsVault) return `Documents are searched for this type anyway; hits in ${named}.`
  return `Documents are needed: the message names what stands in ${named}.`
}

/**
 * [D15] Adds the probe's results to a query's classification. The sentence accompanies the query to its classifier. It
 * is context and not a directive, so type and confidence are unchanged. From a moderate hit on, the query needs the
 * documents that were hit (`needsVault`), regardless of its type.
 */
export function queryInContext(before: QueryClassification, found: Found): QueryInContext {
  const isReliable = found.primary_collection !== null && RELIABLE.has(found.strength)
  return {
    context: found.intent,
    before,
    after: isReliable ? { ...before, needsVault: true } : before,
    why: reason(before, found),
  }
}
