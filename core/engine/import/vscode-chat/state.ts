import type { SourceRef } from '../../schema/event.ts'
import { isList, isObject } from '../shared/guards.ts'
import type { RawRecord } from '../source.ts'

/** A change of a chat: 0 gives the whole, 1 sets a value, 2 adds to a list, 3 removes a value. */
export interface Change {
  readonly kind: 0 | 1 | 2 | 3
  readonly path: Path
  readonly value: unknown
  /** Number of items of a list that stay before the new ones. */
  readonly keep: number | null
}

const LONGEST_PATH = 40

/** [I121] A line of a chat's log of changes; null for every other value. */
export function changeOf(value: unknown): Change | null {
  if (!isObject(value)) return null
  const { kind, k, v, i } = value
  if (kind === 0) {
    const whole = isObject(v) && isList(v['requests'])
    return whole ? { kind, path: [], value: v, keep: null } : null
  }
  const path = pathOf(k)
  if (path === null || (kind !== 1 && kind !== 2 && kind !== 3)) return null
  if (kind === 2 && v !== undefined && !isList(v)) return null
  return { kind, path, value: v, keep: typeof i === 'number' ? i : null }
}

type Path = ReadonlyArray<string | number>

/** A path begins with the name of a field. */
function pathOf(keys: unknown): Path | null {
  if (!isList(keys) || keys.length > LONGEST_PATH || typeof keys[0] !== 'string') return null
  const path = keys.filter((key) => typeof key === 'string' || typeof key === 'number')
  return path.length < keys.length || path.includes('__proto__') ? null : path
}

type Container = Record<string, unknown> | unknown[]

/** A chat that is put together from its changes. */
export interface ChatState {
  readonly value: Readonly<Record<string, unknown>>
  /** Applies a change. Returns false if it does not fit the current state. */
  readonly apply: (change: Change, record: RawRecord) => boolean
  /** The record that wrote a value last. */
  readonly placeOf: (value: unknown, fallback: SourceRef) => SourceRef
}

export function createChatState(): ChatState {
  let root: Record<string, unknown> = {}
  const places = new WeakMap<object, SourceRef>()

  const place = (value: unknown, ref: SourceRef): void => {
    if (typeof value === 'object' && value !== null) places.set(value, ref)
    if (isList(value)) for (const item of value) if (isObject(item)) places.set(item, ref)
  }
  return {
    get value() {
      return root
    },
    apply({ kind, path, value, keep }, { ref }) {
      if (kind === 0) {
        root = isObject(value) ? { ...value } : {}
        for (const item of Object.values(root)) place(item, ref)
        return true
      }
      const holder = holderOf(root, path, ref, place)
      const last = path.at(-1)
      if (holder === null || last === undefined) return false
      place(value, ref)
      if (kind === 2) return append(holder, last, isList(value) ? value : [], keep)
      return write(holder, last, kind === 3 ? undefined : value)
    },
    placeOf: (value, fallback) =>
      (typeof value === 'object' && value !== null ? places.get(value) : undefined) ?? fallback,
  }
}

function read(holder: Container, key: string | number): unknown {
  if (Array.isArray(holder)) return typeof key === 'number' ? holder[key] : undefined
  return Object.hasOwn(holder, key) ? holder[String(key)] : undefined
}

/** Appends to a list, after removing everything beyond its first `keep` items. */
function append(
  holder: Container,
  key: string | number,
  added: readonly unknown[],
  keep: number | null,
): boolean {
  const list = read(holder, key)
  const there: unknown[] = Array.isArray(list) ? list : []
  if (keep !== null && Number.isInteger(keep) && keep >= 0 && keep < there.length)
    there.length = keep
  for (const item of added) there.push(item)
  return list === there || write(holder, key, there)
}

/** Returns false if a list has no such index. */
function write(holder: Container, key: string | number, value: unknown): boolean {
  if (!Array.isArray(holder)) {
    holder[String(key)] = value
    return true
  }
  if (typeof key !== 'number' || !Number.isInteger(key) || key < 0 || key > holder.length)
    return false
  holder[key] = value
  return true
}

/** The object or list at the end of a path. Creates missing containers, because their line may be damaged. */
function holderOf(
  root: Container,
  path: Path,
  ref: SourceRef,
  place: (value: unknown, ref: SourceRef) => void,
): Container | null {
  let at = root
  for (const [index, key] of path.slice(0, -1).entries()) {
    const found = read(at, key)
    if (isContainer(found)) {
      at = found
      continue
    }
    if (found !== undefined && found !== null) return null
    const made: Container = typeof path[index + 1] === 'number' ? [] : {}
    if (!write(at, key, made)) return null
    place(made, ref)
    at = made
  }
  return at
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
