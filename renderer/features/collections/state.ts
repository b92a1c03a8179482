import { begun, failed, further, loading, ready } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Question, stream } from '../../app/question.ts'
import { forgetProbe, loadService, probeAnew } from '../../stores/probe/probe.ts'
import { type Indexed, type Job, patchProbe, probeStore } from '../../stores/probe/store.ts'
import { patchView } from '../../app/store.ts'
import type { EmbedderConfig } from '../../../core/engine/schema/probe-settings.ts'
import { count, counted } from '../../ui/format.ts'

const stops = new Map<string, () => void>()

function putJob(id: string, job: Job | null): void {
  const jobs = new Map(probeStore.getState().jobs)
  if (job) jobs.set(id, job)
  else jobs.delete(id)
  patchProbe({ jobs })
}

/** Starts a job unless it runs; `tell` puts its result into words. */
function startJob<T>(
  id: string,
  question: Question<T>,
  tell: (result: T) => Pick<Extract<Job, { status: 'done' }>, 'told' | 'notes'>,
): void {
  if (stops.has(id)) return
  putJob(id, { status: 'running', work: begun() })
  const stop = question.ask({
    progress: (progress) => {
      const job = probeStore.getState().jobs.get(id)
      if (job?.status === 'running')
        putJob(id, { status: 'running', work: further(job.work, progress) })
    },
    answer: (result) => putJob(id, { status: 'done', ...tell(result) }),
    failed: (failure) => {
      stops.delete(id)
      putJob(id, { status: 'failed', failure })
      void loadService()
    },
    ended: () => {
      stops.delete(id)
      void loadService().then(probeAnew)
    },
  })
  stops.set(id, stop)
}

export function cancelJob(id: string): void {
  stops.get(id)?.()
  stops.delete(id)
  putJob(id, null)
  void loadService()
}

export function forgetJob(id: string): void {
  putJob(id, null)
}

/** `12 chunks of 3 documents; 2 added, 1 changed`. */
export function indexedText({ documents, added, changed, removed, chunks }: Indexed): string {
  const parts = [
    added > 0 ? `${count(added)} added` : '',
    changed > 0 ? `${count(changed)} changed` : '',
    removed > 0 ? `${count(removed)} removed` : '',
  ].filter((part) => part !== '')
  const what = parts.length === 0 ? 'nothing changed' : parts.join(', ')
  return `${counted(chunks, 'chunk')} of ${counted(documents, 'document')}; ${what}`
}

/** Brings a collection up to date; without paths, the documents that its entry names. */
export function startIndex(
  collection: string,
  { paths = [], rebuild }: { readonly paths?: readonly string[]; readonly rebuild: boolean },
): void {
  startJob(
    `index ${collection}`,
    stream(
      'probe.index',
      { collection, paths: [...paths], rebuild },
      { where: `Collection ${collection}` },
    ),
    (indexed) => ({
      told: indexedText(indexed),
      notes: indexed.skipped.map(({ path, reason }) => `${path}: ${reason}`),
    }),
  )
}

export function startDownload(model: string): void {
  startJob(
    `download ${model}`,
    stream('probe.download', { model }, { where: model }),
    ({ name }) => ({ told: `Here as ${name}: every file was checked.`, notes: [] }),
  )
}

/** [L29] Measures the threshold of an embedder over the shipped queries. */
export function startMeasure(name: string): void {
  startJob(
    `measure ${name}`,
    stream('probe.measureEmbedder', { name }, { where: name }),
    ({ threshold, queries }) => ({
      told: `Threshold ${threshold.toFixed(2)}, over ${counted(queries, 'labelled query', 'labelled queries')}.`,
      notes: [],
    }),
  )
}

/** Runs a change of collections or embedders and shows its result. */
async function change(where: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    await loadService()
    probeAnew()
    return true
  } catch (error) {
    patchView({ notice: failureOf(error, where) })
    return false
  }
}

/** Removes an index. No probe runs automatically afterwards, because it would index a removed sample again. */
export async function removeIndex(collection: string): Promise<void> {
  try {
    await host().call('probe.remove', { collection })
    forgetProbe()
    await loadService()
  } catch (error) {
    patchView({ notice: failureOf(error, `Collection ${collection}`) })
  }
}

export function chooseEmbedder(name: string): Promise<boolean> {
  return change(`Embedder ${name}`, () => host().call('probe.setEmbedder', { name }))
}

export function removeEmbedder(name: string): Promise<boolean> {
  return change(`Embedder ${name}`, () => host().call('probe.removeEmbedder', { name }))
}

/** Adds an embedder and returns its name. The caller shows a refusal. */
export async function addEmbedder(config: EmbedderConfig): Promise<string> {
  const { name } = await host().call('probe.addEmbedder', { config })
  await loadService()
  return name
}

/** `auto`: sessions are probed when they are opened. `samples`: the sample collections take part (D70). */
export async function setSwitch(name: 'auto' | 'samples', on: boolean): Promise<void> {
  const { settings } = probeStore.getState()
  if (settings.status !== 'ready') return
  patchProbe({ settings: loading(settings) })
  try {
    const stored = await host().call('settings.set', { probe: { [name]: on } })
    patchProbe({ settings: ready(stored.probe) })
    if (on || name === 'samples') probeAnew()
  } catch (error) {
    patchProbe({ settings: failed(failureOf(error, 'Settings of the probe'), settings) })
  }
}
