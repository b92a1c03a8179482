import { hash } from 'node:crypto'
import { readdir } from '../../platform/files/fenced-fs.ts'
import { basename, join } from 'node:path'
import { diffLines } from 'diff'
import { z } from 'zod'
import type { Output } from '../../../wire/method.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { isMissing } from '../../platform/files/atomic-file.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import { jsonAs } from '../../platform/json.ts'
import { safeFileName } from '../../platform/names.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { messageOf } from '../../../engine/result.ts'
import type { DataFileRef } from '../../workspace/data-kinds.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refuseOutwardLink } from '../../platform/files/outward-link.ts'
import { cannotRead, readText } from '../../platform/files/regular-file.ts'
import type { Saves } from '../../workspace/saves.ts'

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
  /** The window that kept it. */
  by: z.string().default(''),
})
type StoredDraft = Readonly<z.infer<typeof StoredDraft>>

/** A draft of the history, without its text. */
interface DraftHead extends Pick<StoredDraft, 'at' | 'saved' | 'added' | 'removed' | 'by'> {
  readonly id: string
}

type Saved = Output<TurnscopeContract, 'draft.save'>

/** The text that was left; `problem`: there was one that could not be read. */
interface LeftDraft {
  readonly text: string | null
  readonly problem: string | null
  /** It is still in its place, and may be whole. */
  readonly isUnread?: boolean
}

/** Texts that are not saved yet, and those that once were. */
interface DraftStore {
  /** The draft that was left here, or null. */
  current(file: DataFileRef): Promise<LeftDraft>
  /**
   * Keeps an unsaved text, over `saved`; null forgets that there is one, the history still has it. Drafts of
   * another window stay in the history.
   */
  keep(file: DataFileRef, saved: string, text: string | null, by: string): Promise<void>
  /** Newest first. */
  history(file: DataFileRef): Promise<readonly DraftHead[]>
  at(file: DataFileRef, id: string): Promise<string>
  /** [T46] Writes the domain file itself; `changedLines` are those added and removed. */
  save(file: DataFileRef, text: string, fingerprint: string): Promise<Saved>
  /** Returns the file that a save would write to. */
  target(file: DataFileRef): { readonly path: string; readonly copy: boolean }
}

function draftFiles(saves: Saves) {
  const save = (path: string, text: string | null) =>
    saves.save({ kind: 'drafts', files: [{ path, text }] })
  return {
    write: (path: string, draft: StoredDraft) => save(path, `${JSON.stringify(draft)}\n`),
    remove: async (...paths: readonly string[]) => {
      for (const path of paths) await save(path, null)
    },
  }
}

/** Folder for the drafts of a domain file. */
function draftFolder(root: string, path: string): string {
  return join(root, '.turnscope', 'drafts', safeFileName(`${basename(path)}-${shortHash(path)}`))
}

const currentDraft = (root: string, path: string) => join(draftFolder(root, path), 'current.json')

/** [U123] A draft as a file of a different workspace, `root`, in which the domain file has the path `path`. */
export function draftFile(root: string, path: string, of: Pick<Kept, 'text'> & { saved: string }) {
  const lines = linesOf(of.saved, of.text)
  const draft: StoredDraft = { version: 1, at: 0, saved: false, by: '', text: of.text, ...lines }
  return { path: currentDraft(root, path), text: `${JSON.stringify(draft)}\n` }
}

/** Drafts live in `.turnscope/drafts` of the workspace, derived and disposable. */
export function createDraftStore(
  { root, saves }: Pick<Workspace, 'root' | 'saves'>,
  clock: () => number,
): DraftStore {
  const folderOf = ({ path }: DataFileRef) => draftFolder(root, path)
  const currentOf = ({ path }: DataFileRef) => currentDraft(root, path)
  const { write, remove } = draftFiles(saves)

  async function remember(file: DataFileRef, base: string, draft: Kept): Promise<StoredDraft> {
    const at = clock()
    const stored: StoredDraft = { version: 1, at, ...draft, ...linesOf(base, draft.text) }
    const [newest] = await heads(folderOf(file))
    const isSameSitting =
      newest?.saved === false && newest.by === draft.by && at - newest.at < SAME_SITTING_MS
    if (isSameSitting && !draft.saved) {
      await remove(join(folderOf(file), `${newest.id}.json`))
    }
    await write(join(folderOf(file), `${idOf(stored)}.json`), stored)
    const old = (await heads(folderOf(file))).slice(KEPT)
    await remove(...old.map(({ id }) => join(folderOf(file), `${id}.json`)))
    return stored
  }

  const target = (file: DataFileRef) => {
    const own = file.path.startsWith(join(root, '/'))
    if (own) return { path: file.path, copy: false }
    return { path: join(root, 'profiles', 'domains', basename(file.path)), copy: true }
  }

  return {
    target,
    current: (file) => leftDraft(currentOf(file), saves),
    keep: async (file, saved, text, by) => {
      if (text === null) {
        await remove(currentOf(file))
        return
      }
      const left = await leftDraft(currentOf(file), saves)
      if (left.isUnread) throw unreadDraft(currentOf(file))
      await write(currentOf(file), await remember(file, saved, { text, saved: false, by }))
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
      const to = { file, root, saves, path: target(file).path }
      const { before, ...saved } = await writeOver(to, text, fingerprint)
      // The history is a comfort: the file is saved whether or not it can be written.
      const kept = { text, saved: true, by: '' }
      await remember(file, before, kept).catch(() => undefined)
      await remove(currentOf(file)).catch(() => undefined)
      return saved
    },
  }
}

interface SaveTo {
  readonly file: DataFileRef
  readonly root: string
  readonly path: string
  readonly saves: Saves
}

/** [F20] Writes the file if it still has the text that was loaded. */
async function writeOver({ file, root, path, saves }: SaveTo, text: string, fingerprint: string) {
  // [F21] Checked before the file is read, because the target of a link is not our file.
  refuseOutwardLink(root, path)
  const there = await textOf(path, file)
  if (fingerprintOf(there.text) !== fingerprint) throw changed(file)
  const before = there.isCopy ? fingerprint : null
  const answer = await saves.save({ kind: 'domains', files: [{ path, before, text }] })
  if (answer.kind === 'changed') throw changed(file)
  const { added, removed } = linesOf(there.text, text)
  const [written = ''] = answer.written
  return { before: there.text, file: path, fingerprint: written, changedLines: added + removed }
}

/** The text that a save would replace. A different window may have created the workspace's copy of a shipped file. */
async function textOf(path: string, file: DataFileRef) {
  try {
    return { text: await readText(path), isCopy: true }
  } catch (error) {
    if (path === file.path || !isMissing(error)) throw unread(path, error)
    return { text: await readText(file.path), isCopy: false }
  }
}

function unread(where: string, error: unknown) {
  return refusal(cannotRead(error, where))
}

function changed({ shown }: DataFileRef) {
  return refusal({
    what: 'the file was changed by another program meanwhile',
    where: shown,
    do: 'Load it again: your draft is kept, and nothing was written over',
  })
}

type Kept = Pick<StoredDraft, 'text' | 'saved' | 'by'>

function idOf({ at, text }: StoredDraft): string {
  return `${Math.round(at)}-${shortHash(text)}`
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 10)
}

function linesOf(before: string, after: string) {
  let added = 0
  let removed = 0
  for (const part of diffLines(before, after)) {
    if (part.added) added += part.count
    if (part.removed) removed += part.count
  }
  return { added, removed }
}

/** [F17] A draft that is there and cannot be used is kept aside: the next one would take its place. */
async function leftDraft(path: string, saves: Saves): Promise<LeftDraft> {
  try {
    const draft = jsonAs(StoredDraft, await readText(path))
    if (draft !== null) return { text: draft.text, problem: null }
    const aside = await saves.setAside(path)
    return {
      text: null,
      problem: `The draft that was left here is broken; it is kept as ${aside}.`,
    }
  } catch (error) {
    if (isMissing(error)) return { text: null, problem: null }
    const problem = `${path}: the draft that was left here cannot be read (${messageOf(error)}).`
    return { text: null, problem, isUnread: true }
  }
}

function unreadDraft(where: string) {
  const what = 'the draft that was left here cannot be read, so no other takes its place'
  return refusal({ what, where, do: 'Check its rights, or save your text' })
}

/** A draft of the history: one that cannot be read is not listed, and not replaced either. */
async function readDraft(path: string): Promise<StoredDraft | null> {
  const text = await readText(path).catch(() => null)
  return text === null ? null : jsonAs(StoredDraft, text)
}

async function heads(folder: string): Promise<readonly DraftHead[]> {
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => /^\d+-/u.test(name)).map((name) => basename(name, '.json'))
  const drafts = await Promise.all(
    ids.map(async (id) => {
      const draft = await readDraft(join(folder, `${id}.json`))
      if (draft === null) return []
      const { at, saved, added, removed, by } = draft
      return [{ id, at, saved, added, removed, by }]
    }),
  )
  return drafts.flat().toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}
