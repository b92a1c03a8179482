import { featureStore } from '../../app/query.ts'

const KEY = 'turnscope.reader'
const LONGEST = 100

/** `consensus` is reserved and cannot be a reader's name (L86). */
const RESERVED: ReadonlySet<string> = new Set(['consensus'])

function remembered(): string | null {
  try {
    return readerName(localStorage.getItem(KEY) ?? '')
  } catch {
    return null
  }
}

/** A name as labels carry it; null = none. */
export function readerName(text: string): string | null {
  const name = text.trim().slice(0, LONGEST)
  return name === '' || RESERVED.has(name.toLowerCase()) ? null : name
}

/** [L85] Name of the reader in this browser. Set once; it belongs to the reader, not to the workspace. */
export const {
  store: reader,
  use: useReader,
  patch: patchReader,
} = featureStore<{ readonly name: string | null }>({ name: remembered() })

export function setReader(text: string): void {
  const name = readerName(text)
  patchReader({ name })
  if (name === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, name)
}
