import type { Rule } from './rule.ts'

/** An anchor with the rules that look closer there. */
interface Anchor {
  readonly rules: readonly Rule[]
  /** Codes of its units; of letters in any case, the small ones. */
  readonly codes: readonly number[]
  readonly anyCase: boolean
}

/** [R3] Positions of the rules' anchors: one pass over the text, two units at a time. */
export interface Anchors {
  readonly each: (text: string, met: (at: number, rule: Rule) => void) => void
}

const ASCII = 128
const isLetter = (code: number) => code >= 97 && code <= 122

/** Most pairs of units begin no anchor: a table of pairs says so, and hardly any place is compared. */
export function anchorsOf(rules: readonly Rule[]): Anchors {
  const pairs = new Uint16Array(ASCII * ASCII)
  const buckets: Anchor[][] = [[]]
  const singles = new Map<number, Anchor>()
  const wide = new Map<number, Anchor[]>()

  function put(pair: number, anchor: Anchor): void {
    if (pairs[pair] === 0) pairs[pair] = buckets.push([]) - 1
    buckets[pairs[pair] ?? 0]?.push(anchor)
  }

  function putWide(first: number, anchor: Anchor): void {
    for (const code of cases(first, anchor)) wide.set(code, [...(wide.get(code) ?? []), anchor])
  }

  for (const anchor of grouped(rules)) {
    const [first = 0, second] = anchor.codes
    if (second === undefined) singles.set(first, anchor)
    else if (first >= ASCII || second >= ASCII) putWide(first, anchor)
    else
      for (const a of cases(first, anchor))
        for (const b of cases(second, anchor)) put(a * ASCII + b, anchor)
  }
  return { each: (text, met) => eachAnchor(text, { pairs, buckets, singles, wide }, met) }
}

interface Tables {
  readonly pairs: Uint16Array
  readonly buckets: ReadonlyArray<readonly Anchor[]>
  readonly singles: ReadonlyMap<number, Anchor>
  /** By their first unit: anchors with letters beyond ASCII among their first two. */
  readonly wide: ReadonlyMap<number, readonly Anchor[]>
}

function eachAnchor(
  text: string,
  { pairs, buckets, singles, wide }: Tables,
  met: (at: number, rule: Rule) => void,
): void {
  const meet = (at: number, rules: readonly Rule[]) => {
    for (const rule of rules) met(at, rule)
  }
  const meetAll = (anchors: readonly Anchor[] | undefined, at: number, from: number) => {
    for (const anchor of anchors ?? []) if (stands(text, at, anchor, from)) meet(at, anchor.rules)
  }
  const [single = -1] = singles.keys()
  let code = text.charCodeAt(0)
  for (let at = 0; at < text.length; at += 1) {
    const next = text.charCodeAt(at + 1)
    if (code === single) meet(at, singles.get(code)?.rules ?? [])
    if (code < ASCII && next < ASCII) {
      const bucket = pairs[code * ASCII + next] ?? 0
      if (bucket !== 0) meetAll(buckets[bucket], at, 2)
    } else meetAll(wide.get(code), at, 1)
    code = next
  }
}

function stands(text: string, at: number, { codes, anyCase }: Anchor, from: number): boolean {
  for (let unit = from; unit < codes.length; unit += 1) {
    const code = text.charCodeAt(at + unit)
    const plain = anyCase && code >= 65 && code <= 90 ? code + 32 : code
    if (plain !== codes[unit]) return false
  }
  return true
}

function cases(code: number, { anyCase }: Anchor): readonly number[] {
  return anyCase && isLetter(code) ? [code, code - 32] : [code]
}

/** Rules by anchor and case, so that equal anchors are compared once. */
function grouped(rules: readonly Rule[]): readonly Anchor[] {
  const all = rules.flatMap((rule) =>
    rule.anchors.map((anchor) => ({ rule, anchor, anyCase: rule.anyCase ?? false })),
  )
  return [...Map.groupBy(all, ({ anchor, anyCase }) => `${anyCase} ${anchor}`).values()].map(
    (group) => {
      const [{ anchor, anyCase } = { anchor: '', anyCase: false }] = group
      const codes = Array.from(anchor, (char) => char.charCodeAt(0))
      return { codes, anyCase, rules: group.map(({ rule }) => rule) }
    },
  )
}
