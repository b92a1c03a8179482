import { hash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { diffLines } from 'diff'
import { z } from 'zod'
import { type Output } from '../../../wire/method.ts'
import { type TurnscopeContract } from '../../../wire/contract.ts'
import { saveText, writeFileAtomic } from '../../files/atomic-file.ts'
import { jsonAs } from '../../shared/json.ts'
import { safeFileName } from '../../shared/names.ts'
import { refusal } from '../../shared/refusal.ts'
import { type DataFileRef, type Workspace, fingerprintOf } from '../../files/workspace.ts'
import { readText } from '../../files/regular-file.ts'

/** Drafts kept of one domain file. */
const KEPT = 50
/** A draft that is kept again within this time takes the place of the one before, in milliseconds. */
const SAME_SITTING_MS = 120_000

const StoredDraft = z.object({
  version: z.literal(1),
  at: z.number(),
  saved: z.boolean(),
  added: z.int(),
  removed: z.int(),
  text: z.string(),
})
type StoredDraft = Readonly<z.infer<typeof StoredDraft>>

/** A draft of the history, without its text. */
export interface DraftHead extends Pick<StoredDraft, 'at' | 'saved' | 'added' | 'removed'> {
  readonly id: string
}

type Saved = Output<TurnscopeContract, 'draft.save'>

/** Texts that are not saved yet, and those that once were. */
export interface DraftStore {
  /** The draft that was left here, or null. */
  current(file: DataFileRef): Promise<string | null>
  /** Keeps an unsaved text, over `saved`; null forgets that there is one, the history still has it. */
  keep(file: DataFileRef, saved: string, text: string | null): Promise<void>
  /** Newest first. */
  history(file: DataFileRef): Promise<readonly DraftHead[]>
  at(file: DataFileRef, id: string): Promise<string>
  /** [T46] Writes the domain file itself; `changedLines` are those added and removed. */
  save(file: DataFileRef, text: string, fingerprint: string): Promise<Saved>
  /** Where saving would write. */
  target(file: DataFileRef): { readonly path: string; readonly copy: boolean }
}

/** Drafts live in `.turnscope/drafts` of the workspace, derived and disposable. */
export function createDraftStore(
  { root }: Pick<Workspace, 'root'>,
  clock: () => number,
): DraftStore {
  const folderOf = ({ path }: DataFileRef) =>
    join(root, '.turnscope', 'drafts', safeFileName(`${basename(path)}-${shortHash(path)}`))
  const currentOf = (file: DataFileRef) => join(folderOf(file), 'current.json')

  async function remember(file: DataFileRef, base: string, draft: Kept): Promise<StoredDraft> {
    const at = clock()
    const stored: StoredDraft = { version: 1, at, ...draft, ...linesOf(base, draft.text) }
    const [newest] = await heads(folderOf(file))
    if (newest !== undefined && !newest.saved && !draft.saved && at - newest.at < SAME_SITTING_MS) {
      await rm(join(folderOf(file), `${newest.id}.json`), { force: true })
    }
    await write(join(folderOf(file), `${idOf(stored)}.json`), stored)
    const old = (await heads(folderOf(file))).slice(KEPT)
    await Promise.all(old.map(({ id }) => rm(join(folderOf(file), `${id}.json`), { force: true })))
    return stored
  }

  const target = (file: DataFileRef) => {
    const own = file.path.startsWith(join(root, '/'))
    if (own) return { path: file.path, copy: false }
    return { path: join(root, 'profiles', 'domains', basename(file.path)), copy: true }
  }

  return {
    target,
    current: async (file) => (await readDraft(currentOf(file)))?.text ?? null,
    keep: async (file, saved, text) => {
      if (text === null) {
        await rm(currentOf(file), { force: true })
        return
      }
      await write(currentOf(file), await remember(file, saved, { text, saved: false }))
    },
    history: (file) => heads(folderOf(file)),
    at: async (file, id) => {
      const draft = /^\d+-[\w-]+$/u.test(id)
        ? await readDraft(join(folderOf(file), `${id}.json`))
        : null
      if (draft !== null) return draft.text
      throw refusal({ what: 'there is no such draft', where: id, do: 'Choose one of the list' })
    },
    save: async (file, text, fingerprint) => {
      const before = await readText(file.path)
      refuseChanged(file, before, fingerprint)
      const { path } = target(file)
      const written = await writeText(path, text)
      const { added, removed } = linesOf(before, text)
      // The history is a comfort: the file is saved whether or not it can be written.
      await remember(file, before, { text, saved: true }).catch(() => undefined)
      await rm(currentOf(file), { force: true }).catch(() => undefined)
      return { file: path, fingerprint: fingerprintOf(written), changedLines: added + removed }
    },
  }
}

function refuseChanged({ shown }: DataFileRef, text: string, fingerprint: string): void {
  if (fingerprintOf(text) === fingerprint) return
  throw refusal({
    what: 'the file was changed by somebody else meanwhile',
    where: shown,
    do: 'Load it again: your draft is kept, and nothing was written over',
  })
}

async function writeText(path: string, text: string): Promise<string> {
  try {
    return await saveText(path, text)
  } catch (error) {
    const what = `it could not be written (${error instanceof Error ? error.message : ''})`
    throw refusal({ what, where: path, do: 'Make the file writable; your draft is kept' })
  }
}

type Kept = Pick<StoredDraft, 'text' | 'saved'>

function idOf({ at, text }: StoredDraft): string {
  return `${Math.round(at)}-${shortHash(text)}`
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 10)
}

function linesOf(before: string, after: string) {
  let [added, removed] = [0, 0]
  for (const part of diffLines(before, after)) {
    if (part.added) added += part.count
    if (part.removed) removed += part.count
  }
  return { added, removed }
}

async function write(path: string, draft: StoredDraft): Promise<void> {
  try {
    await writeFileAtomic(path, `${JSON.stringify(draft)}\n`, { isPrivate: true })
  } catch (error) {
    const what = `the draft could not be kept (${error instanceof Error ? error.message : ''})`
    throw refusal({ what, where: path, do: 'Make the workspace writable, or save the draft' })
  }
}

async function readDraft(path: string): Promise<StoredDraft | null> {
  const text = await readText(path).catch(() => null)
  // Not there, or not ours: drafts are disposable.
  return text === null ? null : jsonAs(StoredDraft, text)
}

async function heads(folder: string): Promise<readonly DraftHead[]> {
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => /^\d+-/u.test(name)).map((name) => basename(name, '.json'))
  const drafts = await Promise.all(
    ids.map(async (id) => {
      const draft = await readDraft(join(folder, `${id}.json`))
      if (draft === null) return []
      const { at, saved, added, removed } = draft
      return [{ id, at, saved, added, removed }]
    }),
  )
  return drafts.flat().toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}
