import { lstat, stat } from '../../host/platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type { LabelStore } from '../../host/labels/label-store.ts'
import { walkFolder } from '../../host/platform/files/walk.ts'
import { ownFile } from '../../host/corpus/lab/corpus-files.ts'
import { workspaceCases } from '../../host/corpus/lab/read-corpus.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { createLru } from '../../engine/lru.ts'
import { type LabCorpus, labelFilesOf, openLabCorpus } from '../lab/lab-corpus.ts'
import { CommandError } from '../kit/output.ts'
import type { Places } from './places.ts'

/** Sessions and labels as a call names them. */
interface Named {
  readonly paths?: readonly string[] | undefined
  readonly labels?: readonly string[] | undefined
}

export interface Corpora {
  /**
   * Sessions and labels. Served from memory if the files are unchanged. Without any name: the labels of the workspace.
   */
  open(named: Named, side: ResolvedSide, waiting: Waiting): Promise<LabCorpus>
  /** Whether the workspace has its own labels. */
  hasOwnLabels(): Promise<boolean>
}

/** Maximum corpora in memory: the one in use and those used before. */
const KEPT = 3

/** [F156] An agent queries the same sessions repeatedly, so parsed and scored corpora are cached. */
export function createCorpora(workspace: Workspace, places: Places, store: LabelStore): Corpora {
  const kept = createLru<string, LabCorpus>(KEPT)

  async function labelsOf(named: readonly string[]): Promise<readonly string[]> {
    const files: string[] = []
    for (const path of named)
      // A folder may hold links: each is looked at.
      for (const file of await labelFilesOf(await places.real(path)))
        files.push(await places.real(file))
    return files
  }

  /** [F157] The labels beside a session are read with it: a link in their place leads no further than other names. */
  async function refuseLinks(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const path of paths) {
      const isFolder = (await stat(path)).isDirectory()
      const sessions = isFolder
        ? (await walkFolder(path, signal)).files.map((file) => join(path, file.path))
        : [path]
      for (const session of sessions) {
        for (const labels of store.places(ownFile(session)))
          if (await isThere(labels)) await places.real(labels)
      }
    }
  }

  /** Changes when a file does: path, size and time of each. */
  async function stampOf(
    paths: readonly string[],
    labels: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const files = await Promise.all(
      paths.map(async (path) => {
        const info = await stat(path)
        if (!info.isDirectory()) return [path, await store.target(ownFile(path))]
        const { files: seen } = await walkFolder(path, signal)
        return seen.map((one) => `${path} ${one.path} ${one.bytes} ${one.modifiedAt}`)
      }),
    )
    const stamps = [...files.flat(), ...labels].map(async (path) => {
      const info = await stat(path).catch(() => null)
      return info === null ? path : `${path} ${info.size} ${info.mtimeMs}`
    })
    return Promise.all(stamps)
  }

  return {
    hasOwnLabels: async () => (await workspaceCases(workspace.root)).length > 0,
    open: async ({ paths = [], labels: named = [] }, side, waiting) => {
      const real = await Promise.all(paths.map((path) => places.real(path)))
      await refuseLinks(real, waiting.signal)
      const own = real.length + named.length === 0 ? await workspaceCases(workspace.root) : []
      const labels = [...(await labelsOf(named)), ...(await labelsOf(own))]
      if (real.length + labels.length === 0) throw new CommandError(NOTHING)
      const classify = side.compiled.classify
      const stamp = await stampOf(real, labels, waiting.signal)
      const key = JSON.stringify([real, labels, classify, stamp])
      const known = kept.get(key)
      if (known !== undefined) return known
      const opened = await openLabCorpus({ workspace, side }, real, labels, waiting)
      kept.set(key, opened)
      return opened
    },
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const NOTHING = {
  what: 'there is nothing to look at',
  where: 'paths and labels',
  do: 'Name sessions in `paths` or files of labelled texts in `labels`; list_sessions says what there is',
}
