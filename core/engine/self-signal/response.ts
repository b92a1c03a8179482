import { pyStrip } from '../python-text.ts'
import type { SelfSignal, SelfSignalDiagnostic, SelfSignalOptions } from '../schema/self-signal.ts'
import { diagnostic } from './diagnostic.ts'
import { fenceAt, findFences, takeFences } from './fence.ts'
import type { Fence } from './fence.ts'
import type { Meter } from './meter.ts'
import { readBlock } from './parse.ts'
import type { BlockReading } from './parse.ts'
import { findBlocks, findUnfinished, mentionsSignal } from './scan.ts'
import type { Block } from './scan.ts'
import { stripEverywhere, stripSeams } from './strip.ts'
import type { Cut } from './strip.ts'

/** All that a response says about its agent. */
export interface ResponseReading {
  readonly signal: SelfSignal | null
  readonly stripped: string
  readonly diagnostics: readonly SelfSignalDiagnostic[]
}

/** What may be given beside the text. */
export interface ReadContext {
  /** When the response was given, epoch milliseconds: the engine has no clock of its own. */
  readonly at?: number | null
  readonly meter?: Meter
}

interface Scan {
  readonly fences: readonly Fence[]
  /** Blocks that count, by the options. */
  readonly blocks: readonly Block[]
  readonly unfinished: number
}

/** The same finding in a thousand places is said this many times. */
const MAX_PER_CODE = 20

/** The blocks that count and the fences around them. With S9 a fenced block counts only if all are fenced. */
function scan(text: string, options: SelfSignalOptions, meter: Meter): Scan {
  const fences = findFences(text, meter)
  let blocks = findBlocks(text, options.tolerantOpenTag, options.skipFences ? fences : [], meter)
  if (options.skipFences && blocks.length === 0 && fences.length > 0)
    blocks = takeFences(text, findBlocks(text, options.tolerantOpenTag, [], meter), fences)
  const after = blocks.at(-1)?.outerEnd ?? 0
  const at = findUnfinished(text, after, meter)
  const quoted = options.skipFences && at >= 0 && fenceAt(fences, at) !== null
  return { fences, blocks, unfinished: quoted ? -1 : at }
}

function strip(text: string, found: Scan, options: SelfSignalOptions): string {
  const cuts: Cut[] = found.blocks.map((block) => [block.outerStart, block.outerEnd])
  if (options.hideUnfinished && found.unfinished >= 0) cuts.push([found.unfinished, text.length])
  return options.tidySeamOnly ? stripSeams(text, cuts) : stripEverywhere(text, cuts)
}

/**
 * Parses and strips one response (oracle-agent T006; S1 to S17; L14). Only the first block is
 * parsed, also when it is of unknown type or invalid (S17); all blocks are stripped. Linear in the
 * text, never throws. No text (null or empty) is no signal and no text.
 */
export function readResponse(
  response: string | null,
  options: SelfSignalOptions,
  context: ReadContext = {},
): ResponseReading {
  const text = response ?? ''
  const meter = context.meter ?? { steps: 0 }
  if (!mentionsSignal(text, meter)) {
    const stripped = options.tidySeamOnly ? text : plainStrip(text)
    return { signal: null, stripped, diagnostics: [] }
  }
  const found = scan(text, options, meter)
  const first = found.blocks[0]
  const reading: BlockReading =
    first === undefined
      ? { signal: null, diagnostics: [] }
      : readBlock(text, first, options, { at: context.at ?? null, meter })
  return {
    signal: reading.signal,
    stripped: strip(text, found, options),
    diagnostics: [...reading.diagnostics, ...aboutPlaces(text, found, options, meter)],
  }
}

function plainStrip(text: string): string {
  return text.includes('\n\n\n') ? stripEverywhere(text, []) : pyStrip(text)
}

/** [L14] What stands where it should not: in a fence, beside another, unfinished, not understood. */
function aboutPlaces(
  text: string,
  found: Scan,
  options: SelfSignalOptions,
  meter: Meter,
): readonly SelfSignalDiagnostic[] {
  const all = findBlocks(text, true, [], meter)
  const fenced = all.filter((block) => fenceAt(found.fences, block.start) !== null)
  const usesFenced = found.blocks.some((block) => fenceAt(found.fences, block.start) !== null)
  const fate = usesFenced ? 'and is taken for the agent’s own' : 'and is taken for a quotation'
  const several = found.blocks.slice(1)
  const missed = found.blocks.length === 0 && fenced.length === 0 ? all : []
  const list = (blocks: readonly Block[], code: 'in_fence' | 'several' | 'not_matched', message: string) =>
    blocks.slice(0, MAX_PER_CODE).map((block) => diagnostic(code, [block.start, block.end], message))
  const unfinished =
    found.unfinished < 0 || missed.some((block) => block.start === found.unfinished)
      ? []
      : [
          diagnostic(
            'unfinished',
            [found.unfinished, text.length],
            `a block begins here and is no complete self-signal; from here on the text is ${options.hideUnfinished ? 'hidden' : 'left as it is'}`,
          ),
        ]
  return [
    ...list(fenced, 'in_fence', `a self-signal stands in a code fence ${fate}`),
    ...list(several, 'several', `${found.blocks.length} self-signals in one response: only the first counts`),
    ...list(missed, 'not_matched', 'this opening tag is not accepted by the preset'),
    ...unfinished,
  ]
}

/** The self-signal of a response, or null. */
export function parseSelfSignal(
  response: string | null,
  options: SelfSignalOptions,
  context: ReadContext = {},
): SelfSignal | null {
  return readResponse(response, options, context).signal
}

/** The response without its self-signals. */
export function stripSelfSignal(response: string | null, options: SelfSignalOptions): string {
  return readResponse(response, options).stripped
}
