import { z } from 'zod'
import type { Counterfactual } from '../../engine/schema/lab.ts'
import type { DomainTrace, TurnTrace } from '../../engine/schema/trace.ts'
import { clipped, shortened } from './page.ts'

const Fired = z.object({
  domain: z.string(),
  score: z.number(),
  rank: z.int().nullable(),
  excluded: z.string().nullable(),
  signals: z.array(
    z.object({
      signal: z.string(),
      pattern: z.string(),
      weight: z.number(),
      matched: z.array(z.string()),
    }),
  ),
})
const WhyNot = z.object({
  domain: z.string(),
  score: z.number(),
  reason: z.string(),
  signalsNeeded: z.int().nullable().describe('Further matches that would make it primary.'),
  near: z.array(
    z.object({ signal: z.string(), pattern: z.string(), missing: z.array(z.string()) }),
  ),
  flips: z.array(z.object({ change: z.string(), size: z.int(), alsoFlips: z.int().nullable() })),
})

/** Answer of `explain_turn`. */
export const Explained = z.object({
  turn: z.string().nullable(),
  kind: z.string(),
  text: z.string(),
  seq: z.int().nullable(),
  primary: z.string(),
  confidence: z.number(),
  secondary: z.string().nullable(),
  secondary_confidence: z.number().nullable(),
  signature: z.string(),
  scored: z.string().describe('Primary of the text alone, before momentum.'),
  momentum: z.int(),
  event: z.string(),
  rule: z.string(),
  reason: z.string(),
  resisted: z.string().nullable(),
  tie: z.string().nullable(),
  domains: z.array(Fired),
  whyNot: z.array(WhyNot),
  enrichment: z.string().describe('What was injected; empty: nothing.'),
  warnings: z.array(z.string()),
})
export type Explained = z.infer<typeof Explained>

/** Numbers of things that an answer of 8 KB has room for. */
const MOST = { domains: 4, signals: 5, whyNot: 3, near: 3, flips: 4 }

function firedOf({ domain, score, rank, excluded, signals }: DomainTrace, text: string) {
  return {
    domain,
    score,
    rank,
    excluded,
    signals: signals
      .filter(({ fired }) => fired)
      .slice(0, MOST.signals)
      .map(({ id, index, pattern, weight, spans }) => ({
        signal: id ?? String(index + 1),
        pattern: clipped(pattern, 120),
        weight,
        matched: spans.slice(0, 2).map(([from, to]) => clipped(text.slice(from, to), 60)),
      })),
  }
}

function whyNotOf(
  { domain, score, reason, signalsNeeded }: TurnTrace['whyNot'][number],
  found: Counterfactual | undefined,
) {
  const near = (found?.near ?? []).slice(0, MOST.near).map(({ id, signal, pattern, missing }) => ({
    signal: id ?? String(signal + 1),
    pattern: clipped(pattern, 160),
    missing: missing.slice(0, 5).map((one) => clipped(one, 40)),
  }))
  const flips = (found?.edits ?? [])
    .toSorted((a, b) => a.size - b.size)
    .slice(0, MOST.flips)
    .map(({ what, from, to, size, alsoFlips, kind }) => ({
      change: clipped(
        kind === 'remove_signals' ? `without ${what}` : `${what}: ${from} -> ${to}`,
        120,
      ),
      size,
      alsoFlips,
    }))
  return { domain, score, reason: clipped(reason, 200), signalsNeeded, near, flips }
}

/** [F156] The reason of a turn, as far as an answer has room for it. */
export function explained(
  trace: TurnTrace,
  nearest: readonly Counterfactual[],
  { address, wanted }: { readonly address: string | null; readonly wanted: string | null },
): Explained {
  const { scored, momentum, primary, secondary, signature, text, kind, enrichment } = trace
  const matched = trace.domains
    .filter((domain) => domain.matched > 0)
    .toSorted((a, b) => (a.rank ?? 99) - (b.rank ?? 99))
  const others = trace.whyNot
    .filter(({ domain }) => wanted === null || domain === wanted)
    .slice(0, MOST.whyNot)
  const { tieBreak } = scored
  return {
    turn: address,
    kind,
    text: shortened(text, 300),
    signature,
    seq: address === null ? null : trace.seq,
    primary: primary.domain,
    confidence: primary.confidence,
    secondary: secondary?.domain ?? null,
    secondary_confidence: secondary?.confidence ?? null,
    scored: scored.primary.domain,
    momentum: momentum.after.momentum,
    event: momentum.event,
    rule: momentum.rule,
    reason: clipped(momentum.reason, 200),
    resisted: momentum.resisted?.domain ?? null,
    tie:
      tieBreak === null
        ? null
        : `${tieBreak.between.join(' and ')}: ${tieBreak.winner} wins by ${tieBreak.by}`,
    domains: matched.slice(0, MOST.domains).map((domain) => firedOf(domain, text)),
    whyNot: others.map((one) =>
      whyNotOf(
        one,
        nearest.find(({ domain }) => domain === one.domain),
      ),
    ),
    enrichment: shortened(enrichment, 1500),
    warnings: trace.warnings.slice(0, 5).map((warning) => clipped(warning, 200)),
  }
}

/** The same as text. Details that need too much space to repeat are only in the data. */
export function wordsOf(value: Explained): string {
  const { turn, primary, secondary, scored, event, rule, tie, domains, whyNot } = value
  const pair = secondary === null ? primary : `${primary} + ${secondary}`
  return [
    `${turn ?? 'the text'}: ${pair} (${event} by ${rule}; the text alone: ${scored})`,
    ...(tie === null ? [] : [`tie between ${tie}`]),
    ...domains.map(
      ({ domain, score, signals }) =>
        `${domain} ${score}: ${signals.map(({ signal, matched }) => `${signal} "${matched[0] ?? ''}"`).join(', ')}`,
    ),
    ...whyNot.flatMap(({ domain, reason, signalsNeeded, near, flips }) => [
      `not ${domain}: ${reason}${signalsNeeded === null ? '' : `; ${signalsNeeded} more matches would do`}`,
      ...near
        .slice(0, 1)
        .map(
          ({ signal, missing }) =>
            `  nearest ${signal}, lacks ${missing.join(', ') || 'no literal'}`,
        ),
      ...flips.map(({ change }) => `  or ${change}`),
    ]),
  ].join('\n')
}
