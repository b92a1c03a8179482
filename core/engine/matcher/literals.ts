import { lowerCode } from './python/python-case.ts'
import type { CharSet, Node, NodeOf } from './python/python-ast.ts'

/** Maximum number of strings for a part before it counts as open. */
const MOST_STRINGS = 24
/** Longest literal kept: longer ones tell no more and make the automaton bigger. */
const LONGEST = 20
/** A shorter literal is in nearly every text, so that looking for it saves nothing. */
const SHORTEST = 2

/**
 * Required literal that means "some character above U+007F". A signal of Japanese words, for example, cannot match an
 * ASCII text.
 */
export const WIDE = '\u0080'

/** Above U+007F, but IGNORECASE ties them to ASCII letters: İ ı ſ and the Kelvin sign. */
const TIED_TO_ASCII = [0x130, 0x131, 0x17f, 0x212a]

/**
 * Facts about the texts that a node matches. `exact`: all strings that it can match, in lower case within ASCII; null
 * if open. `required`: every text that it matches contains one of these; null if unknown.
 */
interface Known {
  readonly exact: readonly string[] | null
  readonly required: readonly string[] | null
}

const NOTHING: Known = { exact: null, required: null }
const EMPTY: Known = { exact: [''], required: null }

/** Larger is better: the shortest literal decides how rare a hit is, then fewer of them. */
function worth(literals: readonly string[] | null): number {
  if (literals === null) return -1
  const shortest = Math.min(...literals.map((one) => (one === WIDE ? SHORTEST : one.length)))
  return shortest < SHORTEST ? -1 : Math.min(shortest, 8) * 100 - literals.length
}

function better(
  a: readonly string[] | null,
  b: readonly string[] | null,
): readonly string[] | null {
  return worth(a) >= worth(b) ? a : b
}

function unique(strings: readonly string[]): readonly string[] {
  return [...new Set(strings)]
}

/** True if the set contains no ASCII character, ignoring case. */
function isWide({ negate, ranges, categories }: CharSet): boolean {
  if (negate || categories.length > 0 || ranges.length === 0) return false
  return ranges.every(
    ([from, to]) => from > 0x7f && !TIED_TO_ASCII.some((code) => from <= code && code <= to),
  )
}

/** The lower-case ASCII characters of a small set; null when it is large, negated or wider. */
function charactersOf(set: CharSet): readonly string[] | null {
  if (set.negate || set.categories.length > 0) return null
  const size = set.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  if (size > MOST_STRINGS) return null
  const characters: string[] = []
  for (const [from, to] of set.ranges)
    for (let code = from; code <= to; code += 1) {
      const lower = lowerCode(code)
      if (lower > 0x7f) return null
      characters.push(String.fromCharCode(lower))
    }
  return unique(characters)
}

function product(a: readonly string[], b: readonly string[]): readonly string[] | null {
  if (a.length * b.length > MOST_STRINGS) return null
  return unique(a.flatMap((left) => b.map((right) => left + right)))
}

/** Requirements of a sequence: one literal of each of the `groups`. `exact` as in `Known`. */
interface Parts {
  readonly exact: readonly string[] | null
  readonly groups: ReadonlyArray<readonly string[]>
}

/** Runs of exact parts are multiplied out as far as they stay small. */
function partsOf(items: readonly Node[]): Parts {
  const groups: Array<readonly string[]> = []
  let run: readonly string[] = ['']
  let open = false
  for (const item of items) {
    const known = knownOf(item)
    if (known.required !== null) groups.push(known.required)
    const longer = known.exact === null ? null : product(run, known.exact)
    if (longer?.every((literal) => literal.length <= LONGEST)) {
      run = longer
      continue
    }
    open = true
    groups.push(run)
    run = known.exact ?? ['']
  }
  groups.push(run)
  return { exact: open ? null : run, groups }
}

/** The best run is the requirement. */
function knownOfSequence(items: readonly Node[]): Known {
  const { exact, groups } = partsOf(items)
  return { exact, required: groups.reduce<readonly string[] | null>(better, null) }
}

function knownOfAlternation(branches: readonly Node[]): Known {
  const all = branches.map(knownOf)
  const exact = all.flatMap((known) => known.exact ?? [])
  const required = all.map((known) => better(known.required, known.exact))
  return {
    exact:
      all.some((known) => known.exact === null) || exact.length > MOST_STRINGS
        ? null
        : unique(exact),
    required: required.some((literals) => worth(literals) < 0)
      ? null
      : unique(required.flatMap((literals) => literals ?? [])),
  }
}

function knownOfRepeat(node: NodeOf<'repeat'>): Known {
  const body = knownOf(node.body)
  if (node.min === 0) {
    if (node.max !== 1 || body.exact === null) return NOTHING
    return { exact: unique(['', ...body.exact]), required: null }
  }
  const exact = node.min === 1 && node.max === 1 ? body.exact : null
  return { exact, required: better(body.required, body.exact) }
}

function knownOf(node: Node): Known {
  switch (node.kind) {
    case 'set':
      return { exact: charactersOf(node.set), required: isWide(node.set) ? [WIDE] : null }
    case 'sequence':
      return knownOfSequence(node.items)
    case 'alternation':
      return knownOfAlternation(node.branches)
    case 'repeat':
      return knownOfRepeat(node)
    case 'group':
    case 'atomic':
      return knownOf(node.body)
    case 'look': {
      // The look's text also occurs in the text, next to the match; it adds nothing to the match.
      if (node.negative) return EMPTY
      const body = knownOf(node.body)
      return { exact: [''], required: better(body.required, body.exact) }
    }
    case 'position':
      return EMPTY
    case 'reference':
      return NOTHING
  }
}

/**
 * Literals of which every matching text holds at least one, in lower case within ASCII, or `WIDE`;
 * null when the pattern requires none worth looking for. Matching them against the lower case of a text, or
 * its skeleton, never rejects a text that the pattern matches: both keep every ASCII character, and
 * the few wide letters that IGNORECASE ties to ASCII ones become those.
 */
export function requiredLiterals(root: Node): readonly string[] | null {
  const { exact, required } = knownOf(root)
  const best = better(required, exact)
  if (best === null || worth(best) < 0) return null
  // A literal that holds another of the list is found whenever the shorter one is.
  return best.filter(
    (literal) => !best.some((other) => other !== literal && literal.includes(other)),
  )
}

/** Most combinations of literals that one branch is given; above it only its best group counts. */
const MOST_COMBINATIONS = 64

/** The outermost alternatives of a node. */
export function branchesOf(node: Node): readonly Node[] {
  if (node.kind === 'group') return branchesOf(node.body)
  return node.kind === 'alternation' ? node.branches.flatMap(branchesOf) : [node]
}

/** Literals that the branch holds together, for every way to pick one of each group. */
function combinationsOf(branch: Node): ReadonlyArray<readonly string[]> | null {
  const items = branch.kind === 'sequence' ? branch.items : [branch]
  const groups = partsOf(items)
    .groups.filter((group) => worth(group) > 0)
    .toSorted((a, b) => worth(b) - worth(a))
  if (groups.length === 0) return null
  let combinations: ReadonlyArray<readonly string[]> = [[]]
  const used = new Set<string>()
  for (const group of groups) {
    const key = group.toSorted().join('\n')
    if (used.has(key)) continue
    used.add(key)
    if (combinations.length > 1 && combinations.length * group.length > MOST_COMBINATIONS) continue
    combinations = combinations.flatMap((one) =>
      group.map((literal) => (one.includes(literal) ? one : [...one, literal])),
    )
  }
  return combinations
}

/**
 * [C7] Alternatives of which every matching text satisfies at least one. A text satisfies an alternative if its lower
 * case contains all of the literals (`WIDE`: some character above U+007F). Null if some way to match needs no literal
 * worth searching.
 */
export function literalAlternatives(root: Node): ReadonlyArray<readonly string[]> | null {
  const alternatives: Array<readonly string[]> = []
  for (const branch of branchesOf(root)) {
    const combinations = combinationsOf(branch)
    if (combinations === null) return null
    alternatives.push(...combinations)
  }
  return alternatives
}
