import { optionsKey } from '../belief/options.ts'
import { type Guard, prepareScan, type Scan, scanSpans, scanText } from '../matcher/scan.ts'
import type { CompiledSignal, SignalSpans } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { type Pipeline, type PreparedTurn, prepareTurn } from '../pipeline.ts'
import { type Problem, type Result, err, ok } from '../result.ts'
import { maskText } from './mask.ts'
import type { RecordedLook, TextlessHead, TextlessTurn } from './schema.ts'

/** Spans that are recorded of one signal and turn, as a trace lists them. */
const SPANS = 50

/** The same for signals that match the same texts at the same places. */
function signalKey({ dialect, pattern, programs }: CompiledSignal): string {
  const { source, flags } = programs.wide.regex
  return `${dialect} ${flags} ${source.length} ${pattern}`
}

/** A session head's description of a way to look: text options and signals. */
export function headLook({ preset, signals }: Pipeline): TextlessHead['looks'][number] {
  return { text: optionsKey(preset.belief, 'text'), signals: signals.map(signalKey) }
}

/** [U120] Looks at a text for the last time: what fired, how often and where. */
export function recordLook(pipeline: Pipeline, text: string, guard: Guard): RecordedLook {
  const { input, facts } = prepareTurn(pipeline, text)
  prepareScan(pipeline.signals)
  const { fired } = scanText(pipeline.signals, facts, guard)
  const signals = fired.flatMap((number) => pipeline.signals[number] ?? [])
  const spans = scanSpans(signals, facts, SPANS, guard)
  const { cutChars, thinkingChars, ansiChars, quotedChars } = input
  return {
    ...(input.text === text
      ? {}
      : {
          scored: { text: maskText(input.text), cutChars, thinkingChars, ansiChars, quotedChars },
        }),
    fired: fired.map((number, at) => [number, spans[at]?.count ?? 1, spans[at]?.spans ?? []]),
  }
}

/** Data about a turn's text, available without the text. */
export interface KnownTurn {
  readonly prepared: PreparedTurn
  readonly scan: Scan
  /** Of the signals that fired, in their order. */
  readonly spans: readonly SignalSpans[]
}

/** Returns the recorded scan of a turn's text. `text` is the masked replacement. */
export type Recorded = (turn: TextlessTurn, text: string) => KnownTurn

/** [U121] Only a pipeline whose signals were all looked for, in texts that were cut alike, can be answered. */
export function recordedFor({ looks }: TextlessHead, pipeline: Pipeline): Result<Recorded> {
  const wanted = headLook(pipeline)
  const which = looks.findIndex(({ text, signals }) => {
    const known = new Set(signals)
    return text === wanted.text && wanted.signals.every((key) => known.has(key))
  })
  const look = looks[which]
  if (look === undefined) return err(unknownTexts(pipeline.preset.name))
  // Of equal signals each has its own place; a list that was made of this very pipeline is taken as it is.
  const isSame = look.signals.length === wanted.signals.length
  const numbers = new Map<number, number[]>()
  for (const [number, key] of wanted.signals.entries()) {
    const place = isSame && look.signals[number] === key ? number : look.signals.indexOf(key)
    numbers.set(place, [...(numbers.get(place) ?? []), number])
  }
  return ok((turn, text) => knownTurn(turn.looks[which], text, numbers))
}

/** Counts of a text that was scored whole. */
const WHOLE = { cutChars: 0, thinkingChars: 0, ansiChars: 0, quotedChars: 0 }

function knownTurn(
  look: RecordedLook | undefined,
  text: string,
  numbers: ReadonlyMap<number, readonly number[]>,
): KnownTurn {
  const { text: scored, ...counts } = { ...WHOLE, text, ...look?.scored }
  const input = { text: scored, ...counts, quoted: [], pieces: null }
  const found = (look?.fired ?? [])
    .flatMap(([place, count, spans]) =>
      (numbers.get(place) ?? []).map((number) => ({ number, spans: { count, spans } })),
    )
    .toSorted((a, b) => a.number - b.number)
  return {
    prepared: { input, facts: createTextFacts(input.text) },
    scan: { fired: found.map(({ number }) => number), cutOff: [] },
    spans: found.map((each) => each.spans),
  }
}

function unknownTexts(preset: string): Problem {
  return {
    what: `the texts of this session were left out, and ${preset} reads them in another way, or has other signals, than was recorded`,
    where: 'this session',
    do: 'Choose the preset and the domain file that it was exported with, or ask for a file with its texts',
  }
}
