import { createLru } from '../../lru.ts'
import { thawAlphabet, type FrozenAlphabet } from './alphabet.ts'
import {
  freezeMachine,
  freezeStream,
  thawMachine,
  thawStream,
  type FrozenMachine,
  type FrozenStream,
} from './frozen.ts'
import { identityOf } from '../identity.ts'
import { isPlacedKind } from './events.ts'
import {
  packEvents,
  packLooks,
  packSlots,
  unpackEvents,
  unpackLooks,
  unpackSlots,
} from './frozen-parts.ts'
import { createPrefilter, type Prefilter } from './prefilter.ts'
import type { CompiledSignal } from '../signal.ts'
import { surveyText, type Survey } from './survey.ts'
import { createSurveyor, type Surveyor } from './surveyor.ts'
import type { TextFacts } from '../text-facts.ts'

/** An automaton, and the signals that it knows. */
interface Automaton {
  readonly surveyor: Surveyor
  /** Of its signals, by number. */
  readonly identities: readonly string[]
  /** Number of a signal by its identity, the first where several are the same. */
  readonly numbers: ReadonlyMap<string, number>
}

/** [C13] The automata of a list of signals as plain data, with the identities of its signals. */
export interface FrozenAutomaton {
  /** Of each signal of the list, in its order, see `identityOf`. */
  readonly identities: readonly string[]
  readonly alphabet: FrozenAlphabet
  readonly streams: readonly [FrozenStream, FrozenStream]
  readonly looked: FrozenStream
  readonly anchored: FrozenMachine
  readonly walks: FrozenMachine
  /** See `packEvents`, `packSlots` and `packLooks`. */
  readonly events: Int32Array
  readonly slots: Int32Array
  readonly looks: Int32Array
  readonly always: Uint32Array
}

/** Automaton used for a list of signals, and how their numbers correspond. */
interface Reading {
  readonly automaton: Automaton
  /** By number of the automaton: numbers of the list. Null: they are the same. */
  readonly targets: ReadonlyArray<readonly number[]> | null
  /** Numbers in the list that the automaton does not know. Each runs separately. */
  readonly rest: readonly number[]
}

/** [C12] Automata that other lists may use, by their signals: each takes some megabytes when it has read much. */
const MOST_AUTOMATA = 3
const automata = createLru<string, Automaton>(MOST_AUTOMATA)

/** Memo by list of signals: a list is compiled once and never changes. */
const readings = new WeakMap<readonly CompiledSignal[], Reading>()

/** Whether an automaton for the list exists already. */
export function hasReading(signals: readonly CompiledSignal[]): boolean {
  return readings.has(signals)
}

/** [C10] Makes an automaton for the list, which reads for it from now on. */
export function makeReading(signals: readonly CompiledSignal[]): void {
  const automaton = keep(createPrefilter(signals), signals.map(identityOf))
  readings.set(signals, { automaton, targets: null, rest: [] })
}

function keep(prefilter: Prefilter, identities: readonly string[]): Automaton {
  const surveyor = createSurveyor(prefilter, identities.length)
  const numbers = new Map(identities.map((one, number) => [one, number] as const).reverse())
  const automaton = { surveyor, identities, numbers }
  automata.set(identities.join('\n'), automaton)
  return automaton
}

/** [C13] The automaton that reads for the list, as plain data; null: it has none, or one that was cut off. */
export function freezeReading(signals: readonly CompiledSignal[]): FrozenAutomaton | null {
  const reading = readings.get(signals)
  if (reading === undefined) return null
  const { surveyor, identities } = reading.automaton
  const { events, slots, looks, always, alphabet, streams } = surveyor.prefilter
  const narrow = freezeStream(streams[0])
  const wide = freezeStream(streams[1])
  const looked = freezeStream(surveyor.prefilter.looked)
  const anchored = freezeMachine(surveyor.prefilter.anchored)
  const walks = freezeMachine(surveyor.prefilter.walks)
  if (!narrow || !wide || !looked || !anchored || !walks) return null
  return {
    identities,
    alphabet: alphabet.freeze(),
    looked,
    anchored,
    walks,
    events: packEvents(events),
    slots: packSlots(slots),
    looks: packLooks(looks),
    always: Uint32Array.from(always),
    streams: [narrow, wide],
  }
}

/** States of the automaton that reads for the list, and its signals; null: it has none. */
export function sizeOfReading(
  signals: readonly CompiledSignal[],
): { readonly states: number; readonly identities: readonly string[] } | null {
  const automaton = readings.get(signals)?.automaton
  if (automaton === undefined) return null
  const { identities, surveyor } = automaton
  const [narrow, wide] = surveyor.prefilter.streams
  return { identities, states: narrow.lists.size + wide.lists.size }
}

/**
 * [C13] Keeps an automaton that was frozen, for all lists that are much alike (C12). False: its data do not
 * belong together.
 */
export function thawReading(frozen: FrozenAutomaton): boolean {
  try {
    return thaw(frozen)
  } catch (thrown) {
    // Numbers that say no event, slot, look or set.
    if (thrown instanceof RangeError) return false
    throw thrown
  }
}

function thaw(frozen: FrozenAutomaton): boolean {
  const { identities } = frozen
  const events = unpackEvents(frozen.events)
  const slots = unpackSlots(frozen.slots)
  const looks = unpackLooks(frozen.looks)
  const always = [...frozen.always]
  const alphabet = thawAlphabet(frozen.alphabet)
  if (alphabet === null) return false
  const placedEvents = events.map(isPlacedKind)
  const [narrow, wide] = frozen.streams.map((one) => thawStream(one, alphabet, placedEvents))
  const anchored = thawMachine(frozen.anchored, alphabet, [])
  const looked = thawStream(frozen.looked, alphabet, placedEvents)
  const walks = thawMachine(frozen.walks, alphabet, [])
  if (!narrow || !wide || !looked || !anchored || !walks) return false
  const streams = [narrow, wide] as const
  keep({ alphabet, streams, looked, anchored, walks, events, slots, looks, always }, identities)
  return true
}

/** From this many signals that the automaton of another list does not know, a list gets its own automaton. */
const MOST_REST = 8

/**
 * Minimum share of an automaton's signals that a list must contain. Below it, most of the scan would serve other lists.
 */
const LEAST_SHARE = 0.5

/**
 * Maps a list of these identities to the automaton. Returns null if the automaton lacks too many of them, or knows too
 * many others.
 */
function readingBy(automaton: Automaton, identities: readonly string[]): Reading | null {
  const { numbers } = automaton
  const targets: number[][] = Array.from(automaton.surveyor.known, () => [])
  const rest: number[] = []
  for (const [number, identity] of identities.entries())
    (targets[numbers.get(identity) ?? -1] ?? rest).push(number)
  const same =
    rest.length === 0 && targets.every(([first, ...more], at) => first === at && more.length === 0)
  if (same) return { automaton, targets: null, rest }
  const used = targets.filter((each) => each.length > 0).length
  if (rest.length >= MOST_REST || used < numbers.size * LEAST_SHARE) return null
  return { automaton, targets, rest }
}

/**
 * [C12] Reuses an automaton for a list that is similar to its own: another preset's, one without a signal that was cut
 * off, or one with an edited signal. Returns false if none fits.
 */
export function shareReading(signals: readonly CompiledSignal[]): boolean {
  const identities = signals.map(identityOf)
  let best: Reading | null = null
  for (const automaton of automata.values()) {
    const reading = readingBy(automaton, identities)
    if (reading !== null && reading.rest.length < (best?.rest.length ?? MOST_REST)) best = reading
  }
  if (best !== null) readings.set(signals, best)
  return best !== null
}

/** The automaton's result for a text. The signals in `rest` must run separately. */
export interface ReadSurvey extends Survey {
  readonly rest: readonly number[]
}

/** Reads a text with the automaton of the list; null if it has none yet. */
export function readText(signals: readonly CompiledSignal[], facts: TextFacts): ReadSurvey | null {
  const reading = readings.get(signals)
  if (reading === undefined) return null
  const { targets, rest } = reading
  const survey = surveyText(reading.automaton.surveyor, facts)
  if (targets === null) return { ...survey, rest }
  return {
    fired: survey.fired.flatMap((number) => targets[number] ?? []),
    suspects: survey.suspects.flatMap(({ signal, from }) =>
      (targets[signal] ?? []).map((number) => ({ signal: number, from })),
    ),
    paired: survey.paired,
    rest,
  }
}
