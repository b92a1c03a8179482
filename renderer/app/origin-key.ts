const STORED = 'turnscope.key'
/** Holds the key in a page whose browser stores nothing. */
let inMemory: string | null = null

function storedKey(): string | null {
  try {
    return localStorage.getItem(STORED) ?? inMemory
  } catch {
    return inMemory
  }
}

function storeKey(key: string): void {
  inMemory = key
  try {
    localStorage.setItem(STORED, key)
  } catch {
    // The browser keeps nothing for us: the key lasts as long as this page.
  }
}

export function tokenOf(fragment: string): string | null {
  return new URLSearchParams(fragment.slice(1)).get('token')
}

/** [U73] Session storage key of a token whose exchange is not answered yet, because the page may be left before. */
const WAITING = 'turnscope.token'

function keepToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(WAITING)
    else sessionStorage.setItem(WAITING, token)
  } catch {
    // Then a page that is left too early needs the printed address once more.
  }
}

function waitingToken(): string | null {
  try {
    return sessionStorage.getItem(WAITING)
  } catch {
    return null
  }
}

/** Takes the token from the URL fragment, which the browser never sends. It is removed from the address immediately. */
function takeToken(): string | null {
  const token = tokenOf(location.hash)
  if (token === null) return waitingToken()
  keepToken(token)
  const query = new URLSearchParams(location.hash.slice(1))
  query.delete('token')
  const rest = query.toString()
  history.replaceState(history.state, '', location.pathname + (rest ? `#${rest}` : ''))
  return token
}

/** Null if the host does not answer. */
async function ask(body: string): Promise<Response | null> {
  return await fetch('/key', { method: 'POST', body }).catch(() => null)
}

/**
 * [U18] The key of this origin: from the token in the address if that is valid, else the key stored in this browser.
 * The key never appears in an address, so a copied link opens in any tab of this browser.
 */
export async function wayIn(): Promise<WayIn> {
  // One tab at a time: of two that exchange a token together, one would store a key that was taken back.
  return typeof navigator.locks === 'object'
    ? await navigator.locks.request(STORED, () => wayInAlone())
    : await wayInAlone()
}

type WayIn = { readonly key: string } | { readonly why: 'no_token' | 'used' | 'refused' }

async function wayInAlone(): Promise<WayIn> {
  const token = takeToken()
  if (token === null) {
    const key = storedKey()
    return key === null ? { why: 'no_token' } : { key }
  }
  const answer = await ask(`token ${token}`)
  if (answer?.status === 200) {
    const key = await answer.text()
    storeKey(key)
    keepToken(null)
    return { key }
  }
  if (answer !== null) keepToken(null)
  // Of an address that was used here before, this browser has the key already.
  const known = storedKey()
  if (known !== null && (await stateOfKey(known)) === 'ours') return { key: known }
  return { why: answer === null ? 'refused' : 'used' }
}

/** [U19] `other`: the host accepts different keys, because it was restarted. `silent`: the host does not answer. */
export async function stateOfKey(key: string): Promise<'ours' | 'other' | 'silent'> {
  const answer = await ask(`key ${key}`)
  if (answer === null) return 'silent'
  return answer.status === 403 ? 'other' : 'ours'
}

/** Whether another tab of this browser has stored another key since. */
export function hasOtherKey(key: string): boolean {
  const stored = storedKey()
  return stored !== null && stored !== key
}

/**
 * The address of the same place under the name that Turnscope prints, or null when the page has it already. Storage
 * belongs to the name, so a key that came by the printed link is not seen at `localhost`.
 */
export function printedName(url: string): string | null {
  const place = new URL(url)
  if (place.hostname !== 'localhost') return null
  place.hostname = '127.0.0.1'
  return place.href
}

/** Calls back when another tab of this browser was given a key. */
export function onOtherKey(tell: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === STORED && newValue !== null) tell()
  })
}

/** A pasted address: of this page's host, of another host on this machine, or none. */
export type PastedAddress =
  | { readonly kind: 'here'; readonly token: string }
  | { readonly kind: 'there'; readonly url: string }
  | { readonly kind: 'none' }

const MACHINE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost'])

/**
 * [U74] Reads a printed address, or the bare token, from pasted text. `place` is the place to show there. Addresses of
 * other machines are rejected, because no Turnscope host listens there.
 */
export function pastedAddress(text: string, origin: string, place: string): PastedAddress {
  const bare = /^[\w-]{43}$/u.exec(text.trim())
  if (bare) return { kind: 'here', token: bare[0] }
  const written = /http:\/\/[\w.]+(?::\d+)?\/[^\s#]*#\S+/u.exec(text)?.[0]
  const url = written === undefined ? null : URL.parse(written)
  const token = url && tokenOf(url.hash)
  if (!url || !token) return { kind: 'none' }
  if (url.origin === origin) return { kind: 'here', token }
  if (!MACHINE.has(url.hostname)) return { kind: 'none' }
  return { kind: 'there', url: `${url.origin}/#token=${token}${place === '' ? '' : `&${place}`}` }
}
