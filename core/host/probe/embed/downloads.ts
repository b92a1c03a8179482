import { stat } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import { writeFileAtomic } from '../../platform/files/atomic-file.ts'
import { REAL_TIME, type Chronometer } from '../../platform/net/retry.ts'
import type { Download, OnBytes } from '../ports.ts'
import { bytesHere, fetchFile } from './fetch-file.ts'
import type { PinnedModel } from './pinned-models.ts'

interface DownloadOptions {
  readonly modelsDir: string
  readonly models: readonly PinnedModel[]
  /** URL of the hub, or of a mirror. */
  readonly hub: string
  readonly time?: Chronometer
  readonly idleMs?: number
}

/** Models that the user may fetch. */
export interface Downloads {
  list(): Promise<readonly Download[]>
  /** Folder of a complete local model, or a problem that names the missing files. */
  folder(model: string): Promise<Result<string>>
  fetch(model: string, progress: OnBytes, signal: AbortSignal): Promise<Result<null>>
}

const IDLE_MS = 60_000

/** [D28] Nothing is asked of the network but the files of a model that the user named. */
export function createDownloads(options: DownloadOptions): Downloads {
  const { modelsDir, models, hub, time = REAL_TIME, idleMs = IDLE_MS } = options
  const running = new Set<string>()
  const find = (model: string) => models.find((each) => each.model === model)
  const places: Places = { modelsDir, hub, time, idleMs }

  return {
    list: () =>
      Promise.all(
        models.map(async (known) => ({
          model: known.model,
          title: known.title,
          source: `${hub}/${known.model}`,
          licence: known.licence,
          bytes: totalOf(known),
          have: await bytesOf(places, known),
        })),
      ),
    folder: async (model) => {
      const known = find(model)
      if (known === undefined) return err(unknown(model))
      const parts = known.files.map(({ path, bytes }) =>
        isThere(target(places, known, path), bytes),
      )
      const isWhole = (await Promise.all(parts)).every(Boolean)
      return isWhole
        ? ok(folderOf(places, known))
        : err(notHere(known, await bytesOf(places, known)))
    },
    fetch: async (model, progress, signal) => {
      const known = find(model)
      if (known === undefined) return err(unknown(model))
      if (running.has(model)) {
        return err({ what: 'it is being fetched already', where: model, do: 'Wait for it' })
      }
      running.add(model)
      try {
        return await fetchAll(places, known, { progress, signal })
      } catch (error) {
        const what = `the model cannot be written (${error instanceof Error ? error.message : ''})`
        return err({ what, where: modelsDir, do: 'Make room, or make the folder writable' })
      } finally {
        running.delete(model)
      }
    },
  }
}

type Places = Required<Omit<DownloadOptions, 'models'>>

const folderOf = ({ modelsDir }: Places, { model, revision }: PinnedModel) =>
  join(modelsDir, `${model.replaceAll('/', '--')}@${revision.slice(0, 12)}`)

const target = (places: Places, known: PinnedModel, path: string) =>
  join(folderOf(places, known), path)

async function bytesOf(places: Places, known: PinnedModel): Promise<number> {
  const here = known.files.map(({ path }) => bytesHere(target(places, known, path)))
  return (await Promise.all(here)).reduce((sum, bytes) => sum + bytes, 0)
}

async function fetchAll(
  places: Places,
  known: PinnedModel,
  { progress, signal }: { readonly progress: OnBytes; readonly signal: AbortSignal },
): Promise<Result<null>> {
  const total = totalOf(known)
  let done = 0
  for (const file of known.files) {
    const path = target(places, known, file.path)
    if (!(await isThere(path, file.bytes))) {
      const url = `${places.hub}/${known.model}/resolve/${known.revision}/${file.path}`
      const onBytes = (here: number) => progress(done + here, total)
      const { time, idleMs } = places
      const fetched = await fetchFile({ url, target: path, file, time, idleMs, onBytes, signal })
      if (!fetched.ok) return fetched
    }
    done += file.bytes
    progress(done, total)
  }
  await writeFileAtomic(target(places, known, '1_Pooling/config.json'), poolingFile(known))
  await writeFileAtomic(
    target(places, known, 'sentence_bert_config.json'),
    JSON.stringify({ max_seq_length: known.limit }),
  )
  return ok(null)
}

function totalOf({ files }: PinnedModel): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** A file is moved to its place only after its checksum was right. Its size shows that it was not cut since then. */
async function isThere(path: string, bytes: number): Promise<boolean> {
  return (await stat(path).catch(() => null))?.size === bytes
}

function poolingFile({ pooling }: PinnedModel): string {
  return JSON.stringify({
    pooling_mode_cls_token: pooling === 'first',
    pooling_mode_mean_tokens: pooling === 'mean',
  })
}

function unknown(model: string): Problem {
  return { what: `no model is called ${model}`, where: 'downloads', do: 'Choose one of the list' }
}

function notHere(known: PinnedModel, here: number): Problem {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  const what = `the model is not here yet (${megabytes(here)} of ${megabytes(totalOf(known))} MB)`
  return { what, where: known.model, do: 'Start its download' }
}
