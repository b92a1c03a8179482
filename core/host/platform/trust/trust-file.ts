import { hash } from 'node:crypto'
import { mkdir } from '../files/fenced-fs.ts'
import { dirname, isAbsolute, relative } from 'node:path'
import { type Problem, type Result, err, messageOf, ok } from '../../../engine/result.ts'
import {
  type TrustItem,
  type TrustPlace,
  type TrustRecord,
  TrustFile,
} from '../../../engine/schema/trust.ts'
import { identityOf } from '../../../engine/trust/items.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { withLock } from '../files/file-lock.ts'
import { cannotRead, isMissing, readTextSync } from '../files/regular-file.ts'
import { jsonAs } from '../json.ts'
import { refusal } from '../threads/refusal.ts'
import { realOf } from './place.ts'

const NONE: TrustFile = { version: 1, variables: [], workspaces: [] }

/** [V31] Digest of a list of items, independent of their order. */
export function digestOf(items: readonly TrustItem[], path = ''): string {
  const text = JSON.stringify([path, ...items.map(identityOf).sort()])
  return hash('sha256', text, 'hex')
}

/**
 * [V33] The items allowed so far. A missing file allows nothing. A file that cannot be read, or is in the workspace,
 * allows nothing and is a problem. Read at each check, so that a revocation takes effect immediately.
 */
export function readTrust({
  file,
  workspace,
}: Pick<TrustPlace, 'file' | 'workspace'>): Result<TrustFile> {
  if (file !== null && isWithin(workspace, realOf(dirname(file)))) return err(inWorkspace(file))
  return readTrustFile(file)
}

/** The whole file, for listing its contents. */
export function readTrustFile(file: string | null): Result<TrustFile> {
  if (file === null) return ok(NONE)
  try {
    const parsed = jsonAs(TrustFile, readTextSync(file))
    if (parsed === null) return err(unreadable(file, 'it is no trust file of this version'))
    const damaged = parsed.workspaces.find(
      (each) => digestOf(each.items, each.path) !== each.digest,
    )
    if (damaged === undefined) return ok(parsed)
    return err(unreadable(file, `what it says of ${damaged.path} was changed by hand or cut short`))
  } catch (error) {
    return isMissing(error) ? ok(NONE) : err(unreadable(file, cannotRead(error, file).what))
  }
}

function unreadable(file: string, why: string): Problem {
  const what = `your trust file cannot be used, so no workspace is trusted (${why})`
  return { what, where: file, do: 'Mend it, or delete it and say again which workspaces you trust' }
}

function inWorkspace(file: string): Problem {
  return {
    what: 'your trust file lies in this workspace, so it says nothing about it',
    where: file,
    do: 'Open a folder that does not hold your settings, or use --trust for one run',
  }
}

/**
 * [V33] Changes the entry of one workspace: under a lock, atomically, readable by its owner only. An unreadable file is
 * not overwritten.
 * @param change gets the items that are allowed now; null forgets the workspace
 */
export async function changeTrust(
  place: Pick<TrustPlace, 'file' | 'workspace'>,
  at: number,
  change: (items: readonly TrustItem[]) => readonly TrustItem[] | null,
): Promise<void> {
  const { file, workspace } = place
  if (file === null) throw refusal(NO_PLACE)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const what = `what you trust cannot be kept (${messageOf(error)})`
    throw refusal({ what, where: file, do: 'Check the rights of this folder, or use --trust' })
  })
  await withLock(file, async () => {
    const read = readTrust(place)
    if (!read.ok) throw refusal(read.error)
    const others = read.value.workspaces.filter(({ path }) => path !== workspace)
    const own = read.value.workspaces.find(({ path }) => path === workspace)
    const items = change(own?.items ?? [])
    const record = items === null ? [] : [recordOf(workspace, at, items)]
    const text = JSON.stringify({ ...read.value, workspaces: [...others, ...record] }, null, 2)
    await writeFileAtomic(file, `${text}\n`, { isPrivate: true })
  })
}

const NO_PLACE: Problem = {
  what: 'there is no folder for your settings, so nothing can be kept',
  where: 'XDG_CONFIG_HOME, APPDATA, HOME',
  do: 'Set one of these variables to a full path, or use --trust for one run',
}

function recordOf(path: string, at: number, items: readonly TrustItem[]): TrustRecord {
  const plain = items.map(({ kind, by, address, variables }) => ({ kind, by, address, variables }))
  return { path, at, items: plain, digest: digestOf(plain, path) }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !/^\.\.[/\\]/u.test(way))
}
