import { ScratchKind, type ScratchText } from '../../../core/engine/schema/scratch.ts'

/** [U165] The unfinished text is kept in the browser's storage, by scratch session. */
const KEY = 'turnscope.scratch'
/** Texts that are kept, the last one that was typed first, and UTF-16 units of one. */
const MOST_TEXTS = 8
const MOST_CHARS = 100_000

type Kept = ScratchText & { readonly id: string }
type Store = Pick<Storage, 'getItem' | 'setItem'>

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { id, kind, text } = value as Partial<Record<keyof Kept, unknown>>
  return typeof id === 'string' && typeof text === 'string' && ScratchKind.safeParse(kind).success
}

function allOf(store: Store): readonly Kept[] {
  try {
    const found: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.filter(isKept) : []
  } catch {
    return []
  }
}

export function keptText(id: string, store: Store = localStorage): ScratchText | null {
  const found = allOf(store).find((one) => one.id === id)
  return found ? { kind: found.kind, text: found.text } : null
}

/** Without a text nothing is kept. A browser that keeps nothing is no reason to stop. */
export function keepText(
  id: string,
  { kind, text }: ScratchText,
  store: Store = localStorage,
): void {
  const others = allOf(store).filter((one) => one.id !== id)
  const own = text === '' ? [] : [{ id, kind, text: text.slice(0, MOST_CHARS) }]
  try {
    store.setItem(KEY, JSON.stringify([...own, ...others].slice(0, MOST_TEXTS)))
  } catch {
    // The storage is full or switched off.
  }
}
