import { readJson } from '../json-read.ts'
import { ownOf } from '../schema/own.ts'
import type { ChunkRecord } from './ports.ts'

/** A chunk before it has a name: text, lines from 1, and its heading. */
export type Chunk = Omit<ChunkRecord, 'filename' | 'hash'>

/**
 * Sizes in words and characters. Around 200 tokens of prose: what MiniLM reads whole (256), and large
 * enough to answer something. The overlap keeps a sentence that a cut would split.
 */
const TARGET_WORDS = 140
const MOST_CHARS = 1400
const OVERLAP_LINES = 2
const OVERLAP_WORDS = 30
const OVERLAP_CHARS = 300

/**
 * Raised with every change of what `chunkDocument` or `indexedText` answer, or of the words that are
 * compared (D34): collections that were made before say so and wait to be indexed again (D67).
 */
export const CHUNKING = 3

/** Between the headings of a path. */
const PATH_MARK = ' > '

interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** Lines that belong together: never cut between them unless they are too long for one chunk. */
interface Block {
  readonly heading: string | null
  readonly lines: readonly Line[]
  /** Starts a section: no overlap reaches over it. */
  readonly isFirst: boolean
}

type Splitter = (lines: readonly Line[]) => readonly Block[]

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/u
const FENCE = /^\s*(?:```|~~~)/u

/** Paragraphs; a fenced block and a list stay whole; every heading starts a section. */
function markdownBlocks(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = []
  const path: string[] = []
  let open: Line[] = []
  let isFenced = false
  let isFirst = true
  const close = (): void => {
    if (open.some((line) => line.text.trim() !== '')) {
      blocks.push({ heading: path.filter(Boolean).join(PATH_MARK) || null, lines: open, isFirst })
      isFirst = false
    }
    open = []
  }
  for (const line of lines) {
    const heading = isFenced ? null : HEADING.exec(line.text)
    if (heading) {
      close()
      const level = line.text.trimStart().indexOf(' ')
      path.length = Math.max(0, level - 1)
      path[level - 1] = heading[1] ?? ''
      isFirst = true
      open.push(line)
      continue
    }
    if (FENCE.test(line.text)) isFenced = !isFenced
    if (!isFenced && line.text.trim() === '') close()
    else open.push(line)
  }
  close()
  return blocks
}

/** Top-level definitions: a block begins at an unindented line after a blank one. */
function codeBlocks(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = []
  let open: Line[] = []
  let wasBlank = true
  const close = (): void => {
    if (open.some((line) => line.text.trim() !== '')) {
      const first = open.find((line) => /^[^\s#/*]/u.test(line.text))?.text.trim() ?? null
      blocks.push({
        heading: first === null ? null : first.slice(0, 80),
        lines: open,
        isFirst: false,
      })
    }
    open = []
  }
  for (const line of lines) {
    const isBlank = line.text.trim() === ''
    if (wasBlank && !isBlank && /^\S/u.test(line.text) && !/^[})\]]/u.test(line.text)) close()
    open.push(line)
    wasBlank = isBlank
  }
  close()
  return blocks
}

function textBlocks(lines: readonly Line[]): readonly Block[] {
  const blocks: Block[] = []
  let open: Line[] = []
  for (const line of [...lines, { text: '', number: 0 }]) {
    if (line.text.trim() !== '') open.push(line)
    else if (open.length > 0) {
      blocks.push({ heading: null, lines: open, isFirst: false })
      open = []
    }
  }
  return blocks
}

/** One record a line, its values as text. A line that is no JSON is text. */
function jsonlBlocks(lines: readonly Line[]): readonly Block[] {
  return lines
    .filter((line) => line.text.trim() !== '')
    .map((line) => ({
      heading: null,
      lines: [{ text: recordText(line.text), number: line.number }],
      isFirst: true,
    }))
}

function recordText(line: string): string {
  try {
    const parts: string[] = []
    collect(readJson(line), '', parts)
    return parts.join('\n')
  } catch {
    return line
  }
}

function collect(value: unknown, name: string, parts: string[]): void {
  if (typeof value === 'string') parts.push(name === '' ? value : `${name}: ${value}`)
  else if (typeof value === 'number' || typeof value === 'boolean') parts.push(`${name}: ${value}`)
  else if (Array.isArray(value)) for (const each of value) collect(each, name, parts)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) collect(each, key, parts)
  }
}

const SPLITTERS: Readonly<Record<string, Splitter>> = {
  ...Object.fromEntries(['md', 'mdx', 'markdown'].map((name) => [name, markdownBlocks])),
  ...Object.fromEntries(['txt', 'rst', 'log', 'text'].map((name) => [name, textBlocks])),
  ...Object.fromEntries(['jsonl', 'ndjson'].map((name) => [name, jsonlBlocks])),
  ...Object.fromEntries(
    `js mjs cjs jsx ts mts cts tsx py rb go rs java kt swift c h cc cpp hpp cs php lua sh sql yaml yml
    toml ini json css scss html xml`
      .split(/\s+/u)
      .map((name) => [name, codeBlocks]),
  ),
}

/** [D18] Whether documents with this name can be indexed. */
export function isIndexable(filename: string): boolean {
  return extensionOf(filename) in SPLITTERS
}

function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/u.exec(filename)?.[1]?.toLowerCase() ?? ''
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).filter(Boolean).length
}

/** A line that no chunk could hold is cut at blanks or, if it has none, anywhere. */
function pieces(line: Line): readonly Line[] {
  if (line.text.length <= MOST_CHARS && wordsIn(line.text) <= TARGET_WORDS) return [line]
  const parts: Line[] = []
  let rest = line.text
  while (rest !== '') {
    // A window, because a line may have megabytes and no blank in them.
    const window = rest.slice(0, MOST_CHARS + 1)
    const words = window.split(/(?<=\s)/u, TARGET_WORDS - OVERLAP_WORDS)
    let part = words.join('')
    if (part.length > MOST_CHARS) {
      const cut = part.lastIndexOf(' ', MOST_CHARS)
      part = part.slice(0, cut > MOST_CHARS / 2 ? cut + 1 : MOST_CHARS)
    }
    parts.push({ text: part.trimEnd(), number: line.number })
    rest = rest.slice(part.length)
  }
  return parts.filter((part) => part.text !== '')
}

interface Draft {
  lines: Line[]
  words: number
  chars: number
  heading: string | null
  /** Lines that only repeat the end of the chunk before. */
  repeated: number
}

function emptyDraft(heading: string | null, repeated: readonly Line[]): Draft {
  const lines = [...repeated]
  const words = lines.reduce((sum, line) => sum + wordsIn(line.text), 0)
  const chars = lines.reduce((sum, line) => sum + line.text.length + 1, 0)
  return { lines, words, chars, heading, repeated: lines.length }
}

/** A heading without content. It does not become a separate chunk, because a title answers nothing. */
function isTitle({ lines }: Draft): boolean {
  const written = lines.filter((line) => line.text.trim() !== '')
  return written.length > 0 && written.every((line) => HEADING.test(line.text))
}

/** The last lines of a chunk, if they have few words. The next chunk begins with them. */
function overlapOf({ lines }: Draft): readonly Line[] {
  const last = lines.slice(-OVERLAP_LINES)
  const words = last.reduce((sum, line) => sum + wordsIn(line.text), 0)
  const chars = last.reduce((sum, line) => sum + line.text.length, 0)
  return words <= OVERLAP_WORDS && chars <= OVERLAP_CHARS ? last : []
}

/**
 * [D18] Cuts a document into chunks by its kind (the name's extension): Markdown by headings and
 * paragraphs, code by top-level definitions, JSONL by records, text by paragraphs. A heading that
 * only has other headings under it is no chunk. Small blocks of one section share a chunk; a large one is cut between lines, with the last lines repeated.
 */
export function chunkDocument(filename: string, text: string): readonly Chunk[] {
  const splitter = ownOf(SPLITTERS, extensionOf(filename)) ?? textBlocks
  const lines = text.split(/\r\n|\r|\n/u).map((line, index) => ({ text: line, number: index + 1 }))
  const chunks: Chunk[] = []
  let draft = emptyDraft(null, [])
  const close = (): void => {
    const own = draft.lines.slice(draft.repeated)
    const body = draft.lines
      .map((line) => line.text)
      .join('\n')
      .trim()
    const [first] = draft.lines
    const last = own.at(-1)
    if (own.some((line) => line.text.trim() !== '') && first !== undefined && last !== undefined) {
      const { heading } = draft
      chunks.push({
        chunk_idx: chunks.length,
        text: body,
        heading,
        lines: [first.number, last.number],
      })
    }
  }
  for (const block of splitter(lines)) {
    const words = block.lines.reduce((sum, line) => sum + wordsIn(line.text), 0)
    // The title is in the heading path of the content below it. In front of a text it would blur the text's embedding.
    if (block.isFirst && isTitle(draft)) draft = emptyDraft(block.heading, [])
    else if (block.isFirst || draft.words + words > TARGET_WORDS) {
      close()
      draft = emptyDraft(block.heading, [])
    }
    for (const line of block.lines.flatMap(pieces)) {
      const words = wordsIn(line.text)
      const isFull =
        draft.words + words > TARGET_WORDS || draft.chars + line.text.length > MOST_CHARS
      if (isFull && draft.lines.length > draft.repeated) {
        close()
        draft = emptyDraft(block.heading, overlapOf(draft))
      }
      draft.lines.push(line)
      draft.words += words
      draft.chars += line.text.length + 1
    }
    draft.lines.push({ text: '', number: block.lines.at(-1)?.number ?? 0 })
  }
  close()
  return chunks
}

/**
 * [D63] The text that is embedded and whose words are compared: the chunk's text with the headings above it, each once.
 * A section named "History" does not name its subject; the document's title does. The title is in brackets after the
 * section's own heading. In front of it, models treat it as the subject of the text (measured on `tune`; the phrase
 * "Rogue's End" fell from 0.66 to 0.42 under "Places of Braeneage").
 */
export function indexedText({ text, heading }: Pick<Chunk, 'text' | 'heading'>): string {
  const missing = (heading?.split(PATH_MARK) ?? []).filter((part) => !text.includes(part)).reverse()
  const [nearest, ...above] = missing
  if (nearest === undefined) return text
  const [own = '', ...rest] = text.split('\n')
  if (HEADING.test(own)) return [`${own} (${missing.join(', ')})`, ...rest].join('\n')
  return `${nearest}${above.length === 0 ? '' : ` (${above.join(', ')})`}\n${text}`
}
