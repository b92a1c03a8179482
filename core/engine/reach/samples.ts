import { inCategory } from '../matcher/python/char-set.ts'
import type { CharSet, Node, NodeOf } from '../matcher/python/python-ast.ts'

/** Texts tried for one pattern. */
const MOST_SAMPLES = 48
/** Repeats beyond this are not written out. */
const MOST_REPEATS = 40

/** Characters in the order of plausibility for an example. */
const USUAL = Array.from('aex1 .-_/:\'"(){}[]<>=+*?!,;@#$%&|~^`\\\n\tAEX0')

function isIn({ ranges, categories, negate }: CharSet, char: string): boolean {
  const codes = [char, char.toLowerCase(), char.toUpperCase()].map((one) => one.codePointAt(0) ?? 0)
  const listed =
    ranges.some(([from, to]) => codes.some((code) => from <= code && code <= to)) ||
    categories.some((category) => inCategory(char, category, false))
  return listed !== negate
}

function charOf(set: CharSet, pick: Pick): string {
  const [first] = set.ranges
  // A single literal is itself; of a class, one of the usual characters.
  if (!set.negate && set.categories.length === 0 && first !== undefined) {
    const range = set.ranges[pick(set.ranges.length)] ?? first
    if (range[0] === range[1]) return String.fromCodePoint(range[0])
  }
  const usual = USUAL.filter((char) => isIn(set, char))
  // Blanks of an example are blanks.
  if (usual[0] === ' ') return ' '
  if (usual.length > 0) return usual[pick(Math.min(3, usual.length))] ?? ''
  return set.negate || first === undefined ? '' : String.fromCodePoint(first[0])
}

/** Chooses one of so many; always 0 for the first sample. */
type Pick = (of: number) => number

/** A fixed sequence of choices for each sample: the same every time. */
function pickerOf(sample: number): Pick {
  let state = sample
  return (of) => {
    if (sample === 0 || of < 2) return 0
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % of
  }
}

type Groups = Map<number, string>

const NOTHING: Node = { kind: 'sequence', items: [] }

function repeated(node: NodeOf<'repeat'>, pick: Pick, groups: Groups): string {
  const count = Math.min(node.max, node.min + pick(3), MOST_REPEATS)
  return Array.from({ length: count }, () => textOf(node.body, pick, groups)).join('')
}

function grouped({ body, number }: NodeOf<'group'>, pick: Pick, groups: Groups): string {
  const text = textOf(body, pick, groups)
  if (number !== null) groups.set(number, text)
  return text
}

/** A required look-around's text is written, or the next items supply it. */
function looked({ body, negative }: NodeOf<'look'>, pick: Pick, groups: Groups): string {
  return negative || pick(3) === 2 ? '' : textOf(body, pick, groups)
}

function textOf(node: Node, pick: Pick, groups: Groups): string {
  switch (node.kind) {
    case 'set':
      return charOf(node.set, pick)
    case 'sequence':
      return node.items.map((item) => textOf(item, pick, groups)).join('')
    case 'alternation':
      return textOf(node.branches[pick(node.branches.length)] ?? NOTHING, pick, groups)
    case 'repeat':
      return repeated(node, pick, groups)
    case 'group':
      return grouped(node, pick, groups)
    case 'atomic':
      return textOf(node.body, pick, groups)
    case 'look':
      return looked(node, pick, groups)
    case 'position':
      return pick(4) === 3 ? ' ' : ''
    case 'reference':
      return groups.get(node.group) ?? ''
  }
}

/** [K21] Texts that the pattern may match, the plainest first; whether it does is for the matcher to say. */
export function* samplesOf(root: Node): Generator<string, void, undefined> {
  const seen = new Set<string>()
  for (let sample = 0; sample < MOST_SAMPLES; sample += 1) {
    const text = textOf(root, pickerOf(sample), new Map())
    for (const one of [text, ` ${text} `, `x ${text} x`, `${text}\n`]) {
      if (seen.has(one)) continue
      seen.add(one)
      yield one
    }
  }
}

/** [K21] A path that a glob may match, as messages name paths. */
export function* globSamples(glob: string): Generator<string, void, undefined> {
  const plain = glob.replaceAll('**/', 'src/').replaceAll('**', 'a').replaceAll(/[*?]/g, 'a')
  yield* [plain, `"${plain}"`, `"src/${plain}"`, `src/${plain}`]
}
