import { valueOf } from './async-data.ts'
import { DRAFT, compareOf } from './compared.ts'
import type { Link } from './link.ts'
import { type RunChoice, type ShownSource, type ViewState, store } from './store.ts'

/** The first of the names that the list has. */
export function known(
  list: ReadonlyArray<{ readonly name: string }>,
  ...names: ReadonlyArray<string | null | undefined>
) {
  return names.find((name) => list.some((entry) => entry.name === name)) ?? null
}

function sampleOf(source: ShownSource) {
  const samples = valueOf(store.getState().document.library)?.samples ?? []
  return samples.find((entry) => source.kind === 'sample' && entry.id === source.id)
}

/** What a source is decided with: as the link says, else as a sample is best seen with, else as before. */
export function runOf(
  source: ShownSource,
  link: Link,
): Pick<ViewState, 'run' | 'compare' | 'draftWanted'> {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  if (!info) return { run: view.run, compare: null, draftWanted: false }
  const sample = sampleOf(source)
  // A link says all there is to say: what it leaves out is off, not as the sample would have it.
  const advice = link.source === null ? sample : undefined
  const run: RunChoice = {
    preset: known(info.presets, link.preset, sample?.preset) ?? view.run.preset,
    domains: known(info.domainFiles, link.domains) ?? view.run.domains,
    // [F60] A name that does not exist stays, so that it can be said.
    profile: link.profile ?? advice?.profile ?? null,
  }
  const value = link.compare ?? advice?.compare ?? null
  const compare = value === null ? null : compareOf(value, run, info)
  return { run, compare, draftWanted: value === DRAFT }
}
