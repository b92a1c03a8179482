import { basename, dirname, extname, join } from 'node:path'
import { messageOf } from '../../engine/result.ts'
import type { LabelLine } from '../../engine/schema/label.ts'
import { isMissing, mayWrite } from '../platform/files/atomic-file.ts'
import { fingerprintOf } from '../platform/files/fingerprint.ts'
import { safeFileName } from '../platform/names.ts'
import type { RpcError } from '../../wire/rpc.ts'
import { refusal, valueOrRefuse } from '../platform/threads/refusal.ts'
import { createQueue } from '../platform/threads/shared-work.ts'
import type { LocatedFile } from '../../wire/internal/session.ts'
import { contentLabels, createContentSearch } from '../workspace/content-labels.ts'
import { type ReadLine, parseLabels } from './label-file.ts'
import { LABELS_FOLDER, LABELS_SUFFIX } from '../workspace/labels-place.ts'
import { labelsInPage } from '../transcripts/page-file.ts'
import { LONG_TEXT_BYTES, textIfThere } from '../platform/files/regular-file.ts'
import { type Saves, ownSaves } from '../workspace/saves.ts'

/** A transcript with labels. Labels of the operator's own file are stored next to it (T3). */
type LabelHome = Pick<LocatedFile, 'path' | 'name' | 'fixed' | 'labelsAs'>

/** A labels file that is there, read. */
export interface LabelFile {
  readonly path: string
  readonly fingerprint: string
  readonly lines: readonly ReadLine[]
}

/** Labels of transcripts on disk. */
export interface LabelStore {
  /** Files that speak of a transcript; a later one wins. */
  read(home: LabelHome): Promise<readonly LabelFile[]>
  /** [T3] Returns the file that new labels are written to, or would be. */
  target(home: LabelHome): Promise<string>
  /** Every file that labels of this session are read from, whether or not it is there. */
  places(home: LabelHome): readonly string[]
  /**
   * Rewrites the file of a transcript, atomically; what `change` leaves alone stays byte for byte.
   * One writer at a time. Answers the file's path.
   */
  change(home: LabelHome, change: LabelChange): Promise<string>
}

/** Change of a label file: keeps, replaces or drops each line, and adds lines at the end. */
interface LabelChange {
  /**
   * `replaced` is true if an earlier line already got the new value. Called again if another process wrote in the
   * meantime, so it must keep no state between lines.
   */
  readonly line: (line: ReadLine, replaced: boolean) => LabelLine | 'keep' | 'drop'
  readonly end: (replaced: boolean) => readonly LabelLine[]
}

interface LabelStoreOptions {
  readonly saves?: Saves
  readonly readText?: ReadText
}

/** So often another process may write between our look and our writing. */
const MOST_TRIES = 200

/**
 * [T3] Next to the session, or in `labels/` of the workspace if that folder cannot be written, or for samples. [T86] In
 * `labels/` under the hash of the content for files without a path.
 */
export function createLabelStore(
  workspace: string,
  { saves = ownSaves(workspace), readText = asUtf8 }: LabelStoreOptions = {},
): LabelStore {
  const readLabels = (path: string) => readLabelFile(path, readText)
  const inTurn = createQueue()
  const ofContent = createContentSearch(workspace)
  const places = (home: LabelHome): readonly string[] => {
    if (home.labelsAs !== undefined) return [contentLabels(workspace, home.labelsAs)]
    const name = `${stemOf(home)}${LABELS_SUFFIX}`
    const common = join(workspace, LABELS_FOLDER, name)
    return home.fixed === null ? [join(dirname(home.path), name), common] : [common]
  }

  /**
   * Labels that count while the transcript has no labels file: [U126] those that a sample or an exported page came
   * with, [T86] those of an upload with the same content. The transcript's own file begins with them.
   */
  const given = async (home: LabelHome): Promise<LabelFile | null> => {
    const beside = home.fixed === null ? null : await readLabels(shippedPath(home.path))
    if (beside !== null) return beside
    const isOwn = home.fixed === null && home.labelsAs === undefined
    const same = isOwn ? await ofContent(home.path).catch(() => null) : null
    return same === null ? pageLabels(home.path) : readLabels(same)
  }

  async function read(home: LabelHome): Promise<readonly LabelFile[]> {
    const files = await Promise.all(places(home).map(readLabels))
    const found = files.filter((file) => file !== null)
    if (found.length > 0) return found
    const before = await given(home)
    return before === null ? [] : [before]
  }

  async function target(home: LabelHome): Promise<string> {
    const [first = '', ...others] = places(home)
    for (const path of [first, ...others]) if (await mayWrite(path)) return path
    if (await mayWrite(dirname(first))) return first
    return others.at(-1) ?? first
  }

  /** The text that the file of labels shall have. */
  function changed(lines: readonly ReadLine[], change: LabelChange): string {
    let replaced = false
    const kept = lines.flatMap((line) => {
      const becomes = change.line(line, replaced)
      if (becomes === 'drop') return []
      if (becomes === 'keep') return [line.raw]
      replaced = true
      return [JSON.stringify(becomes)]
    })
    const all = [...kept, ...change.end(replaced).map((line) => JSON.stringify(line))]
    return all.length === 0 ? '' : `${all.join('\n')}\n`
  }

  /** [F16] If another process wrote in the meantime, reads its content and applies the change to that. */
  async function rewrite(home: LabelHome, change: LabelChange): Promise<string> {
    const path = await target(home)
    for (let left = MOST_TRIES; left > 0; left -= 1) {
      const there = await readLabels(path)
      const text = changed((there ?? (await given(home)))?.lines ?? headOf(home), change)
      const before = there?.fingerprint ?? null
      const answer = await saves.save({ kind: 'labels', files: [{ path, before, text }] })
      if (answer.kind === 'saved') return path
    }
    const what = 'other processes write these labels all the time; nothing was written'
    throw refusal({ what, where: path, do: 'Try again' })
  }

  return {
    read,
    target,
    places,
    change: (home, change) => inTurn(() => rewrite(home, change)),
  }
}

/** A file that is named by a hash begins with a comment that names the transcript. */
function headOf({ name, labelsAs }: LabelHome): readonly ReadLine[] {
  return labelsAs === undefined ? [] : parseLabels(`# Labels of ${JSON.stringify(name)}`)
}

async function pageLabels(path: string): Promise<LabelFile | null> {
  const inside = await labelsInPage(path)
  if (inside === null) return null
  return { path, fingerprint: fingerprintOf(inside), lines: parseLabels(inside) }
}

/** The text of a file; null if it does not exist. Throws if it cannot be read. */
type ReadText = (path: string) => Promise<string | null>

const asUtf8: ReadText = async (path) => {
  const text = await textIfThere(path, path, LONG_TEXT_BYTES)
  return text === null ? null : valueOrRefuse(text)
}

/** [F15] A labels file by its path; null if it does not exist. Rejects if it cannot be read. */
export async function readLabelFile(
  path: string,
  readText: ReadText = asUtf8,
): Promise<LabelFile | null> {
  try {
    const text = await readText(path)
    return text === null
      ? null
      : { path, fingerprint: fingerprintOf(text), lines: parseLabels(text) }
  } catch (error) {
    if (isMissing(error)) return null
    throw unreadable(path, error)
  }
}

/** [F15] Unreadable labels still exist. Treating them as missing would overwrite them. */
function unreadable(path: string, error: unknown): RpcError {
  return refusal({
    what: `labels cannot be read (${messageOf(error)}); nothing was written`,
    where: path,
    do: 'Check the file and its rights',
  })
}

function shippedPath(path: string): string {
  return join(dirname(path), `${basename(path, extname(path))}${LABELS_SUFFIX}`)
}

function stemOf({ path, name, fixed }: LabelHome): string {
  const file = fixed === null ? basename(path) : safeFileName(name)
  return basename(file, extname(file))
}
