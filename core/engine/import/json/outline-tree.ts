import { CLOSE_LIST, OPEN_LIST } from './cursor.ts'

/** The kept part of a value that is read in one pass, and what is open of it. */
export interface Tree {
  readonly frames: Frame[]
  /** Open brackets of a value that is not kept. */
  skipped: number
  /** Bytes that are kept. */
  used: number
  root: { readonly value: unknown } | null
  state: 'open' | 'done' | 'broken'
}

const ITEMS = 50
const MEMBERS = 500

/** What is still kept once so many bytes were: levels, and the length of a string. */
interface Limits {
  readonly used: number
  readonly depth: number
  readonly text: number
}

const DEEPEST = 8
const LIMITS: readonly Limits[] = [
  { used: 1 << 22, depth: DEEPEST, text: 1 << 16 },
  { used: 1 << 23, depth: 3, text: 256 },
]
const LAST: Limits = { used: Infinity, depth: 1, text: 256 }

/** An open object or list that is kept. */
interface Frame {
  readonly value: unknown[] | Record<string, unknown>
  /** The member that comes next; null in a list, and where a key is expected. */
  key: string | null
  seen: number
}

/** What is still kept of the value that comes next. */
export function limitsOf({ used }: Tree): Limits {
  return LIMITS.find((limits) => used < limits.used) ?? LAST
}

/** Whether the value that comes next is kept. */
export function wants(tree: Tree): boolean {
  const frame = tree.frames.at(-1)
  if (frame === undefined) return true
  if (tree.frames.length > limitsOf(tree).depth) return false
  return frame.seen < (Array.isArray(frame.value) ? ITEMS : MEMBERS)
}

/** An object or a list begins. */
export function open(tree: Tree, byte: number): void {
  if (!wants(tree) || tree.frames.length >= DEEPEST) {
    tree.skipped = 1
    return
  }
  const value = byte === OPEN_LIST ? [] : {}
  attach(tree, value)
  tree.frames.push({ value, key: null, seen: 0 })
  tree.used += 32
}

/** It ends; a bracket of the other kind breaks the document off. */
export function close(tree: Tree, byte: number): void {
  const frame = tree.frames.pop()
  if (frame === undefined || Array.isArray(frame.value) !== (byte === CLOSE_LIST))
    tree.state = 'broken'
  else if (tree.frames.length === 0) tree.state = 'done'
}

/** Puts a value where it belongs; undefined is one that is not kept. */
export function attach(tree: Tree, value: unknown): void {
  const frame = tree.frames.at(-1)
  if (frame === undefined) {
    tree.root = { value }
    return
  }
  frame.seen += 1
  if (Array.isArray(frame.value)) {
    if (value !== undefined) frame.value.push(value)
    return
  }
  const { key } = frame
  frame.key = null
  if (key === null || value === undefined) return
  // A key named `__proto__` must become a key, not a prototype.
  const member = { value, enumerable: true, writable: true, configurable: true }
  Object.defineProperty(frame.value, key, member)
}

/** Whether a string that comes next is a key. */
export function awaitsKey({ frames }: Tree): boolean {
  const frame = frames.at(-1)
  return frame !== undefined && !Array.isArray(frame.value) && frame.key === null
}
