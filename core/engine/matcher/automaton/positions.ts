import { createAlphabet, createSetList, END, type Alphabet } from './alphabet.ts'
import { ALL_ASCII } from '../python/emit-set.ts'
import { addState, buildNode, type Condition, type Loop, type State } from './nfa.ts'
import type { Node, Pattern } from '../python/python-ast.ts'

/** From one reading state to another, if the conditions hold between the two characters. */
interface Edge {
  readonly to: number
  readonly conditions: readonly Condition[]
}

/** A pattern as a graph of its reading states. Number 0 represents the text before a match. */
export interface Positions {
  /** Classes by which the pattern distinguishes characters, without the end of the text. */
  readonly kinds: readonly number[]
  /** A character of the class, for messages. */
  sample(kind: number): string
  reads(position: number, kind: number): boolean
  /** Positions that may follow when `before` was read at `from` and `kind` comes next. */
  after(from: number, before: number, kind: number): readonly number[]
  readonly edges: ReadonlyArray<readonly Edge[]>
  /** Whether the pattern may end directly after this position. */
  readonly ends: readonly boolean[]
  /** 0-based place of the quantifier of the innermost loop around the position; null = none. */
  loopAt(position: number): number | null
}

/** All of ASCII without capitals, what reads best first. */
const SAMPLES = [' ', 'a', 'b', 'c', 'x', '0', ...ALL_ASCII.toReversed()].filter(
  (char) => !/[A-Z]/.test(char),
)

/** More classes than an alphabet has: they are numbered in 16 bits. */
const CLASSES = 0x10000

/** A count this high is as bad as none. */
const HIGH_COUNT = 1000

/** Loops keep their form; counts that end do not matter to how time grows. */
function simplify(node: Node): Node {
  if (node.kind === 'sequence') return { ...node, items: node.items.map(simplify) }
  if (node.kind === 'alternation') return { ...node, branches: node.branches.map(simplify) }
  if (node.kind === 'group' || node.kind === 'atomic') return { ...node, body: simplify(node.body) }
  if (node.kind !== 'repeat') return node
  const max = node.max >= HIGH_COUNT ? Infinity : Math.min(node.max, 1)
  return { ...node, min: Math.min(node.min, 1), max, body: simplify(node.body) }
}

type Check = (alphabet: Alphabet, before: number, kind: number) => boolean
const isWord = (alphabet: Alphabet, kind: number): boolean => alphabet.traits(kind)?.word ?? false
const isAsciiWord = (alphabet: Alphabet, kind: number): boolean =>
  alphabet.traits(kind)?.asciiWord ?? false
const isNewline = (alphabet: Alphabet, kind: number): boolean =>
  alphabet.traits(kind)?.newline ?? false

/** Tests of each condition between two characters inside a text. */
const HOLDS: Readonly<Record<Condition, Check>> = {
  start: () => false,
  lineStart: (alphabet, before) => isNewline(alphabet, before),
  end: () => false,
  textEnd: () => false,
  lineEnd: (alphabet, _, kind) => isNewline(alphabet, kind),
  boundary: (alphabet, before, kind) => isWord(alphabet, before) !== isWord(alphabet, kind),
  notBoundary: (alphabet, before, kind) => isWord(alphabet, before) === isWord(alphabet, kind),
  asciiBoundary: (alphabet, before, kind) =>
    isAsciiWord(alphabet, before) !== isAsciiWord(alphabet, kind),
  asciiNotBoundary: (alphabet, before, kind) =>
    isAsciiWord(alphabet, before) === isAsciiWord(alphabet, kind),
}

interface Reached {
  readonly edges: Edge[]
  ends: boolean
}

/** Reading states reached without reading, each by its first way. */
function reach(states: readonly State[], start: number, numbers: ReadonlyMap<number, number>) {
  const reached: Reached = { edges: [], ends: false }
  const seen = new Set<string>()
  const visit = (at: number, conditions: readonly Condition[]): void => {
    const key = `${at}:${conditions.join()}`
    if (seen.has(key) || conditions.length > 4) return
    seen.add(key)
    const state = states[at]
    if (state === undefined) return
    if (state.kind === 'event') reached.ends ||= conditions.length === 0
    else if (state.kind === 'read') reached.edges.push({ to: numbers.get(at) ?? 0, conditions })
    else if (state.kind === 'split') for (const next of state.next) visit(next, conditions)
    else visit(state.next, [...conditions, state.condition])
  }
  visit(start, [])
  return reached
}

/** The searches go over pairs and triples of positions: they ask the same again and again. */
function keptByClasses(ask: Positions['after']): Positions['after'] {
  const known = new Map<number, readonly number[]>()
  return (from, before, kind) => {
    const key = (from * CLASSES + before) * CLASSES + kind
    const found = known.get(key) ?? ask(from, before, kind)
    known.set(key, found)
    return found
  }
}

/** The graph of a pattern; null if it exceeds the limit. */
export function positionsOf({ root, flags }: Pattern, most: number): Positions | null {
  const states: State[] = []
  const loops: Loop[] = []
  const sets = createSetList()
  const end = addState(states, { kind: 'event', event: 0 })
  const start = buildNode(
    {
      states,
      sets,
      ascii: flags.ascii,
      cut: end,
      isGap: () => false,
      onLoop: (loop) => loops.push(loop),
    },
    simplify(root),
    end,
  )
  const reading = states.flatMap((state, at) => (state.kind === 'read' ? [at] : []))
  if (reading.length > most) return null
  const numbers = new Map(reading.map((at, index) => [at, index + 1]))
  const alphabet = createAlphabet(sets)
  const first = reach(states, start, numbers)
  const rest = reading.map((at) => {
    const state = states[at]
    return reach(states, state?.kind === 'read' ? state.next : end, numbers)
  })
  const all = [first, ...rest]
  const anyText: Edge = { to: 0, conditions: [] }
  const edges = all.map((one, from) => (from === 0 ? [anyText, ...one.edges] : one.edges))
  const setOf = (position: number): number => {
    const state = states[reading[position - 1] ?? -1]
    return state?.kind === 'read' ? state.set : -1
  }
  const reads = (position: number, kind: number): boolean =>
    position === 0 || alphabet.has(kind, setOf(position))
  const samples = new Map<number, string>()
  for (const char of SAMPLES)
    if (!samples.has(alphabet.classOf(char.charCodeAt(0))))
      samples.set(alphabet.classOf(char.charCodeAt(0)), char)
  return {
    kinds: [...samples.keys()].filter((kind) => kind !== END),
    sample: (kind) => samples.get(kind) ?? '',
    reads,
    edges,
    after: keptByClasses((from, before, kind) =>
      (edges[from] ?? []).flatMap(({ to, conditions }) =>
        reads(to, kind) && conditions.every((one) => HOLDS[one](alphabet, before, kind))
          ? [to]
          : [],
      ),
    ),
    ends: all.map((one) => one.ends),
    loopAt(position) {
      const state = reading[position - 1] ?? -1
      const around = loops.filter(({ from, to }) => from <= state && state < to)
      const inner = around.toSorted((a, b) => a.to - a.from - (b.to - b.from))[0]
      return inner?.at ?? null
    },
  }
}
