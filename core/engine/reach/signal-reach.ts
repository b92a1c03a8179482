import { obstaclesOf } from '../matcher/advice/impossible.ts'
import { branchesOf } from '../matcher/literals.ts'
import { TOKENS } from '../matcher/python/char-set.ts'
import { ALL_ASCII, memberRanges, smallMember, type Target } from '../matcher/python/emit-set.ts'
import { childrenOf, type CharSet, type Node, type Pattern } from '../matcher/python/python-ast.ts'
import { parsePattern } from '../matcher/python/python-parser.ts'
import type { Guard } from '../matcher/scan.ts'
import { pythonFlags, testSignal, type CompiledSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { globSamples, samplesOf } from './samples.ts'

/** Reachability of one signal: a text on which it fires, a proof that none exists, or undecided. */
export type SignalReach =
  | { readonly status: 'reached'; readonly text: string }
  | { readonly status: 'never' | 'undecided'; readonly why: string }

const JAVASCRIPT = { asciiBoundaries: true } as const

/** The meaning of a JavaScript pattern if Python reads it the same way; null otherwise. */
function parsedJs(pattern: string): Pattern | null {
  const named = pattern.replaceAll(/\(\?<(?=[A-Za-z_$])/g, '(?P<').replaceAll('\\/', '/')
  const parsed = parsePattern(named, pythonFlags('', JAVASCRIPT))
  return parsed.ok ? parsed.value : null
}

function candidatesOf(signal: CompiledSignal): Iterable<string> {
  if (signal.dialect === 'keyword') return [signal.pattern]
  if (signal.dialect === 'glob') return globSamples(signal.pattern)
  const parsed = signal.programs.source ?? parsedJs(signal.pattern)
  return parsed === null ? [] : samplesOf(parsed.root)
}

/** [K22] A proof from the form alone, only for patterns that the parser understands. */
function proofOf({ programs, dialect, pattern }: CompiledSignal): string | null {
  // Parsed as one that ignores case: nothing follows for one that does not.
  const isPlainJs = dialect === 'js' && programs.wide.regex.flags === 'i'
  const parsed = programs.source ?? (isPlainJs ? parsedJs(pattern) : null)
  if (parsed === null) return null
  const never = programs.source === null ? null : obstaclesOf(parsed).find(isWhole)
  if (never) return never.what
  return hasContradiction(parsed) ? 'a look-ahead contradicts what the pattern goes on with' : null
}

const isWhole = ({ extent }: { readonly extent: string }): boolean => extent === 'never'

/**
 * [K21] A text on which the signal fires, made from its pattern and tested with the real matcher under the guard. [K22]
 * Otherwise the proof that none exists. [K23] Otherwise undecided.
 */
export function reachSignal(signal: CompiledSignal, guard: Guard): SignalReach {
  const found = firstFired(signal, guard)
  if (found === 'cut off')
    return { status: 'undecided', why: 'the pattern ran out of time on a short text' }
  if (found !== null) return { status: 'reached', text: found.text }
  const why = proofOf(signal)
  if (why !== null) return { status: 'never', why }
  return { status: 'undecided', why: 'no text that was made from the pattern is matched by it' }
}

interface Fired {
  readonly text: string
}

function fires(signal: CompiledSignal, text: string): boolean {
  return testSignal(signal, createTextFacts(text))
}

/**
 * The first text on which the signal fires. A guard costs more than a short text, so one guard covers all texts. If
 * they time out together, each gets its own guard, so that the result is that of testing them one after the other.
 */
function firstFired(signal: CompiledSignal, guard: Guard): Fired | 'cut off' | null {
  const tried: { found: Fired | null } = { found: null }
  const isDone = guard(() => {
    for (const text of candidatesOf(signal)) {
      if (!fires(signal, text)) continue
      tried.found = { text }
      return
    }
  })
  if (isDone) return tried.found
  for (const text of candidatesOf(signal)) {
    const one = { fires: false }
    const isOneDone = guard(() => {
      one.fires = fires(signal, text)
    })
    if (!isOneDone) return 'cut off'
    if (one.fires) return { text }
  }
  return null
}

/** The characters of a set, if skeletons can distinguish them; null otherwise. */
function membersOf(target: Target, set: CharSet): ReadonlySet<string> | null {
  if (!set.ignoreCase || set.ranges.some(([, to]) => to > 0x7f)) return null
  const ranges = memberRanges(target, set)
  const all = [...ALL_ASCII, ...Array.from(TOKENS)]
  return new Set(all.filter((char) => smallMember(target, set, ranges, char)))
}

/** The sets with which a list of nodes begins, character by character, while each is exactly one. */
function headOf(items: readonly Node[]): readonly CharSet[] {
  const sets: CharSet[] = []
  for (const item of items) {
    if (item.kind === 'position') continue
    const inner = item.kind === 'group' || item.kind === 'atomic' ? item.body : item
    if (inner.kind === 'set') sets.push(inner.set)
    else if (inner.kind === 'sequence') {
      const own = headOf(inner.items)
      sets.push(...own)
      if (own.length < inner.items.filter(({ kind }) => kind !== 'position').length) return sets
    } else return sets
  }
  return sets
}

const itemsOf = (node: Node): readonly Node[] => (node.kind === 'sequence' ? node.items : [node])

/** A body of single characters alone: its sets; null for anything else. */
function plainSets(body: Node): readonly CharSet[] | null {
  const items = itemsOf(body)
  const sets = items.flatMap((item) => (item.kind === 'set' ? [item.set] : []))
  return sets.length === items.length && sets.length > 0 ? sets : null
}

/** Whether the following items must match a forbidden look-ahead, or can never match a required one. */
function contradicts(target: Target, look: Node, after: readonly Node[]): boolean {
  if (look.kind !== 'look' || look.behind) return false
  const head = headOf(after).map((set) => membersOf(target, set))
  if (!look.negative) {
    const first = headOf(itemsOf(look.body))[0]
    const wanted = first === undefined ? null : membersOf(target, first)
    const next = head[0] ?? null
    return wanted !== null && next !== null && [...next].every((char) => !wanted.has(char))
  }
  return branchesOf(look.body).some((branch) => {
    const sets = plainSets(branch)?.map((set) => membersOf(target, set))
    if (sets === undefined || sets.length > head.length) return false
    return sets.every((allowed, at) => {
      const next = head[at] ?? null
      return allowed !== null && next !== null && [...next].every((char) => allowed.has(char))
    })
  })
}

function inSequence(target: Target, items: readonly Node[]): boolean {
  return items.some(
    (item, at) => contradicts(target, item, items.slice(at + 1)) || isContradictory(target, item),
  )
}

function isContradictory(target: Target, node: Node): boolean {
  if (node.kind === 'sequence') return inSequence(target, node.items)
  if (node.kind === 'alternation')
    return node.branches.every((branch) => isContradictory(target, branch))
  if (node.kind === 'repeat' && node.min === 0) return false
  if (node.kind === 'look') return false
  return childrenOf(node).some((child) => isContradictory(target, child))
}

/** [K22] Whether on every way a look-ahead forbids the following part of the pattern, or requires a different one. */
function hasContradiction({ root, flags }: Pattern): boolean {
  return isContradictory({ alphabet: 'skeleton', ascii: flags.ascii, folded: true }, root)
}
