import { pyRstrip, pyStrip } from '../python-text.ts'
import type { SelfSignalTrace } from '../schema/answer-trace.ts'
import type {
  DiagnosticCode,
  SelfSignal,
  SelfSignalDiagnostic,
  SelfSignalOptions,
} from '../schema/self-signal.ts'
import { diagnostic } from './diagnostic.ts'
import { fenceAt, findFences, takeFences, type Fence } from './fence.ts'
import type { Meter } from './meter.ts'
import { readBlock, type BlockReading } from './parse.ts'
import { findBlocks, findUnfinished, firstMention, type Block, type Skip } from './scan.ts'

/** All that a response says about its agent. */
type ResponseReading = Pick<SelfSignalTrace, 'signal' | 'stripped' | 'diagnostics'>

/** Optional input besides the text. */
interface ReadContext {
  /** Time of the response in epoch milliseconds, because the engine has no clock. */
  readonly at?: number | null
  readonly meter?: Meter
}

interface Source {
  readonly text: string
  /** Earliest position of a self-signal. */
  readonly first: number
  readonly meter: Meter
}

interface Scan {
  readonly fences: readonly Fence[]
  /** Blocks that count, by the options. */
  readonly blocks: readonly Block[]
  /** Places in fences, whether they count or not. */
  readonly fenced: readonly Skip[]
  /** Blocks that the preset does not accept, if no block counts. */
  readonly missed: readonly Skip[]
  /** Start of an incomplete self-signal, or -1, and its end (S11). */
  readonly unfinished: number
  readonly unfinishedEnd: number
}

/** The same finding in a thousand places is said this many times. */
const MAX_PER_CODE = 20
/** Blocks that are looked up in fences for the diagnostics. */
const MAX_LOOKED_AT = 1000

/** The blocks that count and the fences around them. With S9 a fenced block counts only if all are fenced. */
function scan(source: Source, options: SelfSignalOptions): Scan {
  const { text, meter } = source
  const fences = findFences(text, meter)
  const tolerant = options.tolerantOpenTag
  const found = findBlocks(source, tolerant, options.skipFences ? fences : [])
  let { blocks } = found
  if (options.skipFences && blocks.length === 0 && fences.length > 0)
    blocks = takeFences(text, findBlocks(source, tolerant, []).blocks, fences)
  const inFence = ({ start }: Skip) => fenceAt(fences, start) !== null
  const own = fences.length === 0 ? [] : blocks.slice(0, MAX_LOOKED_AT).filter(inFence)
  const fenced = own.length > 0 ? own : found.quoted
  const at = findUnfinished(text, blocks.at(-1)?.outerEnd ?? 0, meter)
  const quoted = options.skipFences && at >= 0 && fenceAt(fences, at) !== null
  const unfinished = quoted ? -1 : at
  const end = unfinished < 0 ? -1 : unfinishedEnd(text, unfinished, meter)
  return { fences, blocks, fenced, missed: found.missed, unfinished, unfinishedEnd: end }
}

function cutsOf(found: Scan, options: SelfSignalOptions): readonly Cut[] {
  const cuts: Cut[] = found.blocks.map((block) => [block.outerStart, block.outerEnd])
  if (options.hideUnfinished && found.unfinished >= 0)
    cuts.push([found.unfinished, found.unfinishedEnd])
  return cuts
}

function strip(text: string, found: Scan, options: SelfSignalOptions): string {
  const cuts = cutsOf(found, options)
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
  const first = firstMention(text, meter)
  if (first < 0) {
    const stripped = options.tidySeamOnly ? text : stripEverywhere(text, [])
    return { signal: null, stripped, diagnostics: [] }
  }
  const source: Source = { text, first, meter }
  const found = scan(source, options)
  const block = found.blocks[0]
  const reading: BlockReading =
    block === undefined
      ? { signal: null, diagnostics: [] }
      : readBlock(text, block, options, { at: context.at ?? null, meter })
  return {
    signal: reading.signal,
    stripped: strip(text, found, options),
    diagnostics: [...reading.diagnostics, ...aboutPlaces(found, options)],
  }
}

/**
 * [L14] Diagnostics for self-signals that are misplaced or unreadable: in a fence, next to another one, unfinished, not
 * accepted by the preset.
 */
function aboutPlaces(found: Scan, options: SelfSignalOptions): readonly SelfSignalDiagnostic[] {
  const { blocks, fenced } = found
  const counts = blocks.some((block) => block.start === fenced[0]?.start)
  const fate = counts ? 'and is taken for the agent’s own' : 'and is taken for a quotation'
  const missed = fenced.length === 0 ? found.missed : []
  const several = `${blocks.length} self-signals in one response: only the first counts`
  return [
    ...places(fenced, 'in_fence', `a self-signal stands in a code fence ${fate}`),
    ...places(blocks.slice(1, MAX_PER_CODE + 1), 'several', several),
    ...places(missed, 'not_matched', 'this opening tag is not accepted by the preset'),
    ...aboutUnfinished(found, missed, options),
  ]
}

function places(
  found: readonly Skip[],
  code: DiagnosticCode,
  message: string,
): readonly SelfSignalDiagnostic[] {
  return found
    .slice(0, MAX_PER_CODE)
    .map(({ start, end }) => diagnostic(code, [start, end], message))
}

function aboutUnfinished(
  { unfinished, unfinishedEnd: end }: Scan,
  missed: readonly Skip[],
  options: SelfSignalOptions,
): readonly SelfSignalDiagnostic[] {
  if (unfinished < 0 || missed.some((block) => block.start === unfinished)) return []
  const fate = options.hideUnfinished ? 'hidden' : 'left as it is'
  const message = `a block begins here and is no complete self-signal; it is ${fate}`
  return [diagnostic('unfinished', [unfinished, end], message)]
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

const NOT_LINE_END = /[^\n]/g

/** [V19] The response with its self-signals blanked out unit by unit, so that offsets stay valid. */
export function maskSelfSignals(text: string, options: SelfSignalOptions): string {
  const meter: Meter = { steps: 0 }
  const first = firstMention(text, meter)
  if (first < 0) return text
  const cuts = cutsOf(scan({ text, first, meter }, options), options)
  const masked: string[] = []
  let done = 0
  for (const [start, end] of cuts) {
    masked.push(text.slice(done, start), text.slice(start, end).replace(NOT_LINE_END, ' '))
    done = Math.max(done, end)
  }
  return masked.join('') + text.slice(done)
}

/** [start, end) to take out of a text; a list of them is sorted and disjoint. */
type Cut = readonly [start: number, end: number]

function pieces(text: string, cuts: readonly Cut[]): string[] {
  const kept: string[] = []
  let done = 0
  for (const [start, end] of cuts) {
    kept.push(text.slice(done, start))
    done = Math.max(done, end)
  }
  kept.push(text.slice(done))
  return kept
}

function collapse(text: string): string {
  return text.includes('\n\n\n') ? text.replace(/\n{3,}/g, '\n\n') : text
}

/** The document's way: blocks out, three or more newlines to two everywhere, blanks off both ends. */
function stripEverywhere(text: string, cuts: readonly Cut[]): string {
  return pyStrip(collapse(pieces(text, cuts).join('')))
}

/** The blanks that a seam swallows: not those of other scripts, which may carry meaning. */
function isSeamBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function seamEnd(text: string): number {
  let at = text.length
  while (at > 0 && isSeamBlank(text.charCodeAt(at - 1))) at--
  return at
}

function seamStart(text: string): number {
  let at = 0
  while (at < text.length && isSeamBlank(text.charCodeAt(at))) at++
  return at
}

function joint(left: string, right: string): string {
  const first = left.indexOf('\n')
  const newlines = first >= 0 ? (left.includes('\n', first + 1) || right.includes('\n') ? 2 : 1) : 0
  if (newlines === 2) return '\n\n'
  if (newlines === 1) return '\n'
  const only = right.indexOf('\n')
  if (only < 0) return ' '
  return right.includes('\n', only + 1) ? '\n\n' : '\n'
}

/** [S10] Only the seams are tidied: a paragraph, line or word break stays one; the rest is untouched. */
function stripSeams(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text
  const [head = '', ...rest] = pieces(text, cuts)
  const done: string[] = []
  let tail = head
  for (const next of rest) {
    const left = seamEnd(tail)
    const right = seamStart(next)
    const before = tail.slice(0, left)
    const after = next.slice(right)
    if (before === '' || after === '') tail = before + after
    else {
      done.push(before, joint(tail.slice(left), next.slice(0, right)))
      tail = after
    }
  }
  return pyRstrip(done.join('') + tail)
}

/** A line that continues an opening tag: attributes, or its end. */
const OF_TAG = /^\s*(?:[A-Za-z_][\w.-]*\s*=|\/?>)/
const CHILD_OPENS = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?>/g
const CHILD_TAG = /^\s*<[A-Za-z_]/

/**
 * [S11] End of an unfinished block that begins at `start`. It includes its opening tag, its child tags (an unclosed
 * child extends to the end) and lines that begin with `<`. A line of prose ends it, and so does the `/>` of a
 * self-closed tag without a following child tag. Text meant for the user is thus never hidden.
 */
function unfinishedEnd(text: string, start: number, meter: Meter): number {
  const tag = openingTag(text, start, meter)
  const rest = text.slice(tag.end)
  if (tag.selfClosed && !CHILD_TAG.test(rest)) return tag.end
  let at = tag.end
  let child: string | null = null
  // Blank lines in front of prose are its, so that a paragraph stays one.
  let said = tag.end
  // Text after the opening tag on the same line belongs to the block.
  for (let isFirst = true; at < text.length; isFirst = false) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    meter.steps += line.length
    if (child === null && !isFirst && isProse(line)) return said
    child = childAfter(line, child)
    at = end
    if (line.trim() !== '') said = end
  }
  return text.length
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

function isProse(line: string): boolean {
  const said = line.trimStart()
  return said !== '' && !said.startsWith('<')
}

interface OpeningTag {
  readonly end: number
  readonly selfClosed: boolean
}

/** The tag from `<signal` to its `>`. Without a `>`, it extends over all lines that can be its attributes. */
function openingTag(text: string, start: number, meter: Meter): OpeningTag {
  const close = text.indexOf('>', start)
  const next = text.indexOf('<', start + 1)
  const isClosed = close >= 0 && (next < 0 || close < next)
  const most = isClosed ? close : next < 0 ? text.length : next
  let at = lineEnd(text, start)
  while (at <= most && at < text.length) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    meter.steps += line.length
    if (line.trim() !== '' && !OF_TAG.test(line)) return { end: at, selfClosed: true }
    at = end
  }
  if (!isClosed) return { end: most, selfClosed: false }
  return { end: close + 1, selfClosed: text[close - 1] === '/' }
}

/** The child tag that is open behind a line, or null. */
function childAfter(line: string, open: string | null): string | null {
  let child = open
  let at = 0
  for (;;) {
    if (child !== null) {
      const close = line.toLowerCase().indexOf(`</${child.toLowerCase()}>`, at)
      if (close < 0) return child
      at = close + child.length + 3
    }
    CHILD_OPENS.lastIndex = at
    const found = CHILD_OPENS.exec(line)
    if (found === null) return null
    child = found[0].endsWith('/>') ? null : (found[1] ?? null)
    at = found.index + found[0].length
  }
}
