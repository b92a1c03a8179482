import { mkdir, rm } from '../platform/files/fenced-fs.ts'
import { dirname, join } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import type { FileChange, SaveAnswer, SaveOrder } from '../../wire/internal/rights.ts'
import { RpcError } from '../../wire/rpc.ts'
import { refusal, valueOrRefuse } from '../platform/threads/refusal.ts'
import { saveText, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { withLock } from '../platform/files/file-lock.ts'
import { fingerprintOf } from '../platform/files/fingerprint.ts'
import { keepAside } from '../platform/files/keep-aside.ts'
import { LABELS_FOLDER } from './labels-place.ts'
import { refuseOutwardLink } from '../platform/files/outward-link.ts'
import { LONG_TEXT_BYTES, textIfThere } from '../platform/files/regular-file.ts'

/** Writes files of a workspace. A thread may request no other writes (F24). */
export interface Saves {
  /** Throws if the system refuses. A file that has changed in the meantime is a normal answer. */
  save(order: SaveOrder): Promise<SaveAnswer>
  /** Moves an unusable file aside; returns its new path. */
  setAside(path: string): Promise<string>
}

type Kind = SaveOrder['kind']

interface Way {
  /** Message if the system refuses. */
  readonly failed: string
  readonly advice: string
  /** Readable by the owner only, and written by one window only, so that no lock is needed. */
  readonly isPrivate?: true
  /** The folder is made with the first of its files. */
  readonly isNew?: true
}

/** [U164] Folder of a workspace for sessions that were written by hand. */
export const KEPT_SESSIONS = 'sessions'

const WAYS: Readonly<Record<Kind, Way>> = {
  labels: {
    failed: 'labels could not be written',
    advice: 'Make the folder writable, or open the session from another one',
  },
  domains: {
    failed: 'it could not be written',
    advice: 'Make the file writable; your draft is kept',
  },
  coach: {
    failed: 'it could not be written',
    advice: 'Make the file writable; your draft is kept',
  },
  tours: {
    failed: 'the tour could not be written',
    advice: 'Make the folder tours of the workspace writable',
  },
  sessions: {
    failed: 'the session could not be kept',
    advice: 'Make the workspace writable; what you wrote stays in the scratch session',
    isNew: true,
  },
  formats: {
    failed: 'the mapping could not be written',
    advice: 'Make the folder profiles/formats of the workspace writable',
    isNew: true,
  },
  drafts: {
    failed: 'the draft could not be kept',
    advice: 'Make the workspace writable, or save the draft',
    isPrivate: true,
  },
}

/** Writes with the rights of this process. */
export function ownSaves(root: string): Saves {
  const labels = join(root, LABELS_FOLDER)
  /** [F21] The folder that no link may lead out of: of labels beside a transcript, its own. */
  const fenceOf = (kind: Kind, path: string) =>
    kind === 'labels' && dirname(path) !== labels ? dirname(path) : root
  return {
    setAside: keepAside,
    save: async (order) => {
      const way = WAYS[order.kind]
      const [first] = order.files
      try {
        for (const { path } of order.files) {
          if (way.isNew === true) await mkdir(dirname(path), { recursive: true })
          refuseOutwardLink(fenceOf(order.kind, path), path)
        }
        return way.isPrivate === true ? await keep(order.files) : await alone(order.files)
      } catch (error) {
        if (error instanceof RpcError) throw error
        const what = `${way.failed} (${messageOf(error)})`
        throw refusal({ what, where: first?.path ?? order.kind, do: way.advice })
      }
    },
  }
}

/** [F16] [F20] Checks and writes the files under a lock: all of them, or none. */
async function alone(
  files: readonly FileChange[],
  all: readonly FileChange[] = files,
): Promise<SaveAnswer> {
  const [first, ...others] = files
  if (first !== undefined) return withLock(first.path, () => alone(others, all))
  for (const { path, before } of all) {
    if (before !== undefined && (await printAt(path)) !== before) return { kind: 'changed', path }
  }
  const written: string[] = []
  for (const { path, text } of all) written.push(await replace(path, text))
  return { kind: 'saved', written }
}

/** Fingerprint of a file's present text; null if the file does not exist. */
async function printAt(path: string): Promise<string | null> {
  const text = await textIfThere(path, path, LONG_TEXT_BYTES)
  return text === null ? null : fingerprintOf(valueOrRefuse(text))
}

async function replace(path: string, text: string | null): Promise<string> {
  if (text !== null) return fingerprintOf(await saveText(path, text))
  await rm(path, { force: true })
  return ''
}

async function keep(files: readonly FileChange[]): Promise<SaveAnswer> {
  for (const { path, text } of files) {
    if (text === null) await rm(path, { force: true })
    else await writeFileAtomic(path, text, { isPrivate: true })
  }
  return { kind: 'saved', written: files.map(({ text }) => fingerprintOf(text ?? '')) }
}
