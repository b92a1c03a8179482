import { WIDE } from '../../matcher/literals.ts'
import type { CompiledDomain } from '../../matcher/domains.ts'
import { literalsOf, type CompiledSignal } from '../../matcher/signal.ts'
import { createTextFacts, formOf, type TextFacts } from '../../matcher/text-facts.ts'
import type { Counterfactual } from '../../schema/lab.ts'
import type { Span } from '../../schema/trace.ts'

type Near = Counterfactual['near'][number]

/** Places listed for one signal. */
const MOST_PLACES = 20
/** Display text for `WIDE`. */
const WIDE_WORDS = 'a character above U+007F'

function placesOf(literal: string, lower: string): readonly Span[] {
  const places: Span[] = []
  for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + 1)) {
    places.push([at, at + literal.length])
    if (places.length === MOST_PLACES) break
  }
  return places
}

/** Share of the literal, from its start, that the text contains: 1 = all of it. */
function shareOf(literal: string, lower: string): number {
  let length = literal.length
  while (length > 0 && !lower.includes(literal.slice(0, length))) length -= 1
  return length / literal.length
}

/** The literals of one alternative of a signal that the text contains and lacks. */
interface Look {
  readonly missing: readonly string[]
  readonly present: readonly Span[]
  /** 1 = every literal is there, else the mean share of them that is. */
  readonly share: number
}

function lookFor(literals: readonly string[], facts: TextFacts): Look {
  const lower = formOf(facts, 'lower')
  const missing: string[] = []
  const present: Span[] = []
  let share = 0
  for (const literal of literals) {
    const wide = literal === WIDE
    const places = wide ? [] : placesOf(literal, lower)
    const here = wide ? !facts.ascii : places.length > 0
    present.push(...places)
    if (!here) missing.push(wide ? WIDE_WORDS : literal)
    share += here ? 1 : wide ? 0 : shareOf(literal, lower)
  }
  return { missing, present, share: share / Math.max(1, literals.length) }
}

/** A signal that did not fire, and how near it was: a literal in place says more than none required. */
function lookAt(signal: CompiledSignal, index: number, facts: TextFacts) {
  const looks = (literalsOf(signal) ?? []).map((literals) => lookFor(literals, facts))
  const [best] = looks.sort((a, b) => b.share - a.share || a.missing.length - b.missing.length)
  const near: Near = {
    signal: index,
    id: signal.id,
    pattern: signal.pattern,
    missing: best?.missing ?? [],
    present: (best?.present ?? []).toSorted(([x], [y]) => x - y).slice(0, MOST_PLACES),
  }
  return { near, nearness: best?.share ?? 1 - Number.EPSILON }
}

/**
 * [T14] The signals of a domain that did not fire on a text, nearest first: those whose required
 * literals are there and only the rest is not, those that require none, then by how much of their
 * literals, each from its start, the text holds. Of a signal with alternatives the nearest one counts. `text` is the scored text, and spans refer to it.
 */
export function nearSignals(
  domain: CompiledDomain,
  fired: ReadonlySet<number>,
  text: string,
): readonly Near[] {
  const facts = createTextFacts(text)
  return domain.signals
    .map((signal, index) => ({ signal, index }))
    .filter(({ index }) => !fired.has(domain.firstSignal + index))
    .map(({ signal, index }) => lookAt(signal, index, facts))
    .sort((a, b) => b.nearness - a.nearness)
    .map(({ near }) => near)
}
