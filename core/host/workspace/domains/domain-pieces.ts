import { isMap, isSeq, parseDocument, visit, type Document, type Node } from 'yaml'
import { messageOf } from '../../../engine/result.ts'
import { type Lru, createLru } from '../../../engine/lru.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import type { Piece } from './domain-nodes.ts'

/** A domain file in pieces: everything but the list, and one piece for each item of the list. */
interface Pieces {
  readonly head: Piece
  readonly items: readonly Piece[]
  /** Errors that YAML itself reports. If there are any, there is no value. */
  readonly errors: ReadonlyArray<{
    readonly message: string
    readonly from: number
    readonly to: number
  }>
}

/** Parsed blocks of text, by the text. Nodes are only read. */
export type BlockCache = Lru<string, Document>

/** Blocks kept: some drafts of a file with some dozens of domains. */
const KEPT = 400

export function createBlockCache(): BlockCache {
  return createLru(KEPT)
}

function parse(text: string): Document {
  return parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
}

/**
 * [T42] Parses a domain file. Typing changes one domain of many, so each item of `domains:` is parsed separately and
 * cached. Any text that is not a plain list of blocks (flow style, anchors across domains, keys after the list, any
 * error) is parsed as a whole.
 */
export function readPieces(text: string, cache: BlockCache): Pieces {
  return inBlocks(text, cache) ?? whole(text)
}

/** The whole text in one. */
export function whole(text: string): Pieces {
  const document = parse(text)
  const errors = document.errors.map(({ message, pos }) => ({
    message: message.split('\n', 1)[0] ?? message,
    from: pos[0],
    to: pos[1],
  }))
  if (errors.length === 0) errors.push(...meaningless(document))
  const list = isMap(document.contents) ? document.get('domains', true) : null
  const nodes = isSeq(list) ? (list.items as readonly Node[]) : []
  const items = nodes.map((node) => ({ document, node, base: 0 }))
  return { head: { document, node: document.contents, base: 0 }, items, errors }
}

/** Text that can be parsed and means nothing: an alias of no anchor, or far too many of them. */
function meaningless(document: Document): Pieces['errors'] {
  try {
    document.toJS()
    return []
  } catch (error) {
    let from = 0
    let to = 0
    visit(document, {
      Alias: (_, alias) => {
        if (alias.resolve(document) !== undefined) return undefined
        ;[from = 0, to = 0] = alias.range ?? []
        return visit.BREAK
      },
    })
    return [{ message: messageOf(error), from, to }]
  }
}

/** A line that begins a list of blocks, and the lines that must follow it. */
const LIST = /^domains:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*?( *)- /mu
/** Things that one block may have from another, or that end a document. */
const FOREIGN = /^(?:---|\.\.\.|%)|[&*][\w-]|<<:/mu

/** A line that ends a document before the list. Only a parse of the whole text knows the rest. */
const SEPARATOR = /\n(?:---|\.\.\.)/u

function inBlocks(text: string, cache: BlockCache): Pieces | null {
  const list = LIST.exec(text)
  if (list === null) return null
  const indent = list[1] ?? ''
  const first = list.index + list[0].length - indent.length - 2
  const before = text.slice(0, first)
  if (SEPARATOR.test(before)) return null
  const head = blockOf(cache, before)
  if (head.errors.length > 0 || head.warnings.length > 0) return null
  const items: Piece[] = []
  for (const { from, to } of blocksOf(text, first, indent)) {
    const block = text.slice(from, to)
    const document = blockOf(cache, block)
    const node = soleItem(document)
    if (node === null || !isPlain(block, indent)) return null
    items.push({ document, node, base: from })
  }
  return { head: { document: head, node: head.contents, base: 0 }, items, errors: [] }
}

function blockOf(cache: BlockCache, text: string): Document {
  return getOrMake(cache, text, () => parse(text))
}

function* blocksOf(text: string, first: number, indent: string) {
  const marker = `\n${indent}- `
  let from = first
  while (from < text.length) {
    const next = text.indexOf(marker, from)
    const to = next < 0 ? text.length : next + 1
    yield { from, to }
    from = to
  }
}

/** Verdicts by block, because a pattern over 100 KiB at every key costs more than the parsing saved. */
const plain = createLru<string, boolean>(KEPT)

/** No line is indented less than the list, and nothing refers to other blocks. */
function isPlain(block: string, indent: string): boolean {
  return getOrMake(plain, `${indent.length} ${block}`, () => {
    const lines = block.split('\n').slice(1)
    const inside = (line: string) =>
      /^\s*(?:#|$)/u.test(line) || line.startsWith(`${indent} `) || line.trim() === ''
    return lines.every(inside) && !mayRefer(block)
  })
}

/** Signals are full of `&`, `*`: only one that could begin an anchor or alias node counts. */
function mayRefer(block: string): boolean {
  return block.split('\n').some((line) => {
    const value = line.replace(/^\s*(?:- )*(?:[\w-]+:\s)?\s*/u, '')
    return FOREIGN.test(value.slice(0, 4)) && !/^['"]/u.test(value)
  })
}

function soleItem(document: Document): Node | null {
  const { contents, errors, warnings } = document
  if (errors.length > 0 || warnings.length > 0) return null
  if (!isSeq(contents) || contents.items.length !== 1) return null
  if (meaningless(document).length > 0) return null
  // Items of a parsed sequence are nodes.
  return (contents.items[0] as Node | undefined) ?? null
}
