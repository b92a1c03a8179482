import { obstaclesOf } from '../matcher/advice/impossible.ts'
import type { Pattern } from '../matcher/python/python-ast.ts'
import { parsePattern } from '../matcher/python/python-parser.ts'
import type { Guard } from '../matcher/scan.ts'
import { pythonFlags, testSignal, type CompiledSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { hasContradiction } from './contradiction.ts'
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
