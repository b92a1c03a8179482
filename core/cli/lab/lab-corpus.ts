import { readdir, stat } from '../../host/platform/files/fenced-fs.ts'
import { basename, extname, join, resolve } from 'node:path'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { gatherFiles, ownFile } from '../../host/corpus/lab/corpus-files.ts'
import { type CorpusWork, createCorpusWork } from '../../host/corpus/lab/corpus-work.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import { createLabelStore, readLabelFile } from '../../host/labels/label-store.ts'
import { isTextLabel } from '../../host/labels/label-file.ts'
import { LABELS_SUFFIX } from '../../host/workspace/labels-place.ts'
import { type ReadCorpus, readCorpus } from '../../host/corpus/lab/read-corpus.ts'
import { type ResolvedSide, type Sides, createSides } from '../../host/drafts/sides.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import type { Side } from '../../engine/schema/lab.ts'
import { HOME } from '../../place.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { type ConfigOptions, configOf } from '../kit/options.ts'
import { CommandError, createMeter } from '../kit/output.ts'
import { commandScanners } from '../kit/scanners.ts'
import { placeOf } from '../trust/trusted.ts'

/** The lab in a terminal: the same functions as in the window's lab. */
export interface Lab {
  readonly workspace: Workspace
  readonly sides: Sides
  /** The configuration that the options name. */
  readonly side: ResolvedSide
  resolve(side: Side): Promise<ResolvedSide>
}

/** A corpus of the command line. */
export interface LabCorpus {
  readonly read: ReadCorpus
  readonly work: CorpusWork
  readonly waiting: Waiting
  /** Content that could not be read or found. It is no finding, but the run is not clean either. */
  readonly errors: readonly string[]
}

export async function openLab(
  options: ConfigOptions & { readonly trust?: boolean | undefined },
): Promise<Lab> {
  beginWithAutomata()
  const workspace = openWorkspace(options.workspace, HOME, placeOf(options))
  const sides = createSides(workspace, loadConfigOrPaths)
  const resolveSide = async (side: Side): Promise<ResolvedSide> => {
    const resolved = await sides.resolve(side)
    if (resolved.ok) return resolved.value
    throw new CommandError(resolved.error.problem)
  }
  const side = await resolveSide({ kind: 'config', config: configOf(options) })
  return { workspace, sides, side, resolve: resolveSide }
}

/**
 * Reads sessions (files and folders) and labels (files and folders of them).
 * @param asked the waiting caller, unless it is the operator at a terminal
 */
export async function openLabCorpus(
  { workspace, side }: Pick<Lab, 'workspace' | 'side'>,
  paths: readonly string[],
  labels: readonly string[],
  asked: Waiting | null = null,
): Promise<LabCorpus> {
  const signal = asked?.signal ?? new AbortController().signal
  const given = await Promise.all(paths.map(kindOf))
  const folders = paths.filter((_, index) => given[index] === 'folder')
  const own = paths.filter((_, index) => given[index] === 'file').map((path) => ownFile(path))
  const sources = { files: own, folders, samples: false }
  const { files, problems } = await gatherFiles(sources, HOME, signal)
  const labelFiles = (await Promise.all(labels.map(labelFilesOf))).flat()
  const extra = await Promise.all(
    labelFiles.map(async (path) => ({
      path,
      file: await ownerOf(
        path,
        files.map(({ path }) => path),
      ),
    })),
  )
  const meter = createMeter()
  const read = await readCorpus({
    files,
    extra,
    signal,
    foreign: 'lost',
    classify: side.compiled.classify,
    store: createLabelStore(workspace.root),
    formats: (map) => workspaceFormats(workspace, map),
    onProgress:
      asked?.onProgress ?? ((done, total) => meter.show(`reading ${percent(done, total)}`)),
  })
  meter.clear()
  const errors = [
    ...[...problems, ...read.problems].map(({ path, what }) => `${path}: ${what}`),
    ...read.lost.map(({ file, line, what }) => `${file}:${line}: ${what}`),
  ]
  const onProgress = (done: number, total: number) => {
    if (done < total) meter.show(`scoring ${percent(done, total)}`)
    else meter.clear()
  }
  const work = createCorpusWork(read, createTimeLimit(), { scanners: commandScanners() })
  return { read, work, errors, waiting: asked ?? { signal, onProgress } }
}

function percent(done: number, total: number): string {
  return `${Math.round((100 * done) / Math.max(1, total))} %`
}

async function kindOf(path: string): Promise<'file' | 'folder'> {
  const info = await stat(path).catch(() => null)
  if (info?.isDirectory() === true) return 'folder'
  if (info?.isFile() === true) return 'file'
  const problem = { what: 'there is no such file or folder', where: path, do: 'Check the path' }
  throw new CommandError(problem)
}

/** Labels files by path: one file, or all of a folder. */
export async function labelFilesOf(path: string): Promise<readonly string[]> {
  if ((await kindOf(path)) === 'file') return [resolve(path)]
  const names = await readdir(path).catch(() => {
    throw new CommandError({ what: 'cannot be read', where: path, do: 'Check the folder' })
  })
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => resolve(join(path, name)))
}

/**
 * [T1] Index of the session file that a labels file belongs to: the one of the same name, or the only
 * one if the file has labels of turns. -1 = the file holds cases with their own texts.
 */
async function ownerOf(path: string, files: readonly string[]): Promise<number> {
  const stem = basename(path).replace(LABELS_SUFFIX, '')
  const named = files.findIndex((file) => {
    const name = basename(file)
    return name === stem || basename(name, extname(name)) === stem
  })
  if (named >= 0 || files.length !== 1) return named
  // An unreadable label file is reported when the corpus reads it.
  const lines = (await readLabelFile(path).catch(() => null))?.lines ?? []
  const speaks = lines.some(({ value }) => value !== null && !isTextLabel(value))
  return speaks ? 0 : -1
}
