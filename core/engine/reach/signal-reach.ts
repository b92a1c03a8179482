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

/** What is known of one signal: a text on which it fires, or the proof that none does. */
export type SignalReach =
  | { readonly status: 'reached'; readonly text: string }
  | { readonly status: 'never' | 'undecided'; readonly why: string }

const JAVASCRIPT = { asciiBoundaries: true } as const

/** What a pattern of JavaScript says, where Python reads it alike; null where it does not. */
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

/** [K22] What the form alone proves; only of patterns whose meaning the parser knows. */
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
 * [K21] A text on which the signal fires, made from its pattern and tried with the real matcher under the
 * guard; [K22] else the proof that there is none; [K23] else nothing is said.
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
 * The first text on which the signal fires. A guard costs more than a short text: one is for all of them.
 * Where they run out of time together, each has its own, so that the answer is that of one after the other.
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

/** The characters of a set, as far as skeletons tell them apart; null where they do not. */
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

/** Must what follows match a forbidden look-ahead, or can it never match a demanded one? */
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

/** [K22] Does a look-ahead forbid, on every way, what the pattern goes on with, or demand something else? */
function hasContradiction({ root, flags }: Pattern): boolean {
  return isContradictory({ alphabet: 'skeleton', ascii: flags.ascii, folded: true }, root)
}
