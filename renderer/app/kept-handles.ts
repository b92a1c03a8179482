import type { FileHandle } from './file-handles.ts'

/** The content of a file that the host has. */
export interface Sent {
  readonly bytes: number
  /** When the file had been written by then. */
  readonly modified: number
  /** SHA-256 of its last bytes: no text of a transcript is kept in the browser. */
  readonly end: string
}

/** [I99] The record that this browser keeps of a chosen or dropped file. */
export interface KeptHandle {
  /** Id of the upload that links name. */
  readonly upload: string
  /** The upload that the host has now: after a restart of the host it is another one. */
  readonly current: string
  readonly handle: FileHandle
  readonly sent: Sent
  /** Epoch milliseconds: the oldest go first. */
  readonly at: number
}

/** As many as uploads that the host keeps (I96). */
const MOST_KEPT = 32
const STORE = 'files'

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open('turnscope', 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(STORE, { keyPath: 'upload' })
  })
  return answerOf(request)
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no storage')))
  })
}

/** Runs `act` on the stored files. Null if the browser stores nothing, as in some private windows. */
async function within<T>(
  mode: IDBTransactionMode,
  act: (files: IDBObjectStore) => Promise<T>,
): Promise<T | null> {
  if (!('indexedDB' in globalThis)) return null
  try {
    const database = await opened()
    try {
      return await act(database.transaction(STORE, mode).objectStore(STORE))
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

export function findHandle(upload: string): Promise<KeptHandle | null> {
  // Only this module writes there.
  return within('readonly', async (files) => {
    const found: unknown = await answerOf(files.get(upload))
    return found === undefined ? null : (found as KeptHandle)
  })
}

export async function keepHandles(...kept: readonly KeptHandle[]): Promise<void> {
  await within('readwrite', async (files) => {
    for (const one of kept) await answerOf(files.put(one))
    const all = (await answerOf(files.getAll())) as readonly KeptHandle[]
    const old = all.toSorted((a, b) => b.at - a.at).slice(MOST_KEPT)
    for (const { upload } of old) await answerOf(files.delete(upload))
  })
}
