import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { HostInfo } from '../../core/wire/contract.ts'
import { type Failure, valueOf } from './async-data.ts'
import { DRAFT, compareOf } from './compared.ts'
import type { Link } from './link.ts'
import { DEFAULT_RUN, type RunChoice, type ShownSource, type ViewState, store } from './store.ts'

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

/** Names that the host could not check yet are accepted unchecked. */
function existing(
  list: ReadonlyArray<{ readonly name: string }> | undefined,
  ...names: ReadonlyArray<string | null | undefined>
) {
  return list ? known(list, ...names) : names.find((name) => name !== null && name !== undefined)
}

/** [U187] Whether a link needs the host's list to be understood. It is opened once the list is there. */
export function needsInfo(link: Link): boolean {
  return link.compare !== null || link.source?.kind === 'sample'
}

/** Null until the host has described its configurations, because a comparison needs the description. */
function comparedWith(value: string | null, run: RunChoice, info: Immutable<HostInfo> | null) {
  return value === null || !info ? null : compareOf(value, run, info)
}

/**
 * [U224] Defaults for settings that a link omits: those of the workspace, never the last choice in another tab. A
 * source opened without a link keeps this window's choice.
 */
export function usualOf({ source }: Pick<Link, 'source'>, run: RunChoice): RunChoice {
  return source === null ? run : DEFAULT_RUN
}

/** [U224] Names of a link that this workspace does not have, in one sentence; null if it has all of them. */
export function unknownIn(
  link: Pick<Link, 'preset' | 'domains' | 'profile' | 'compare'>,
  run: RunChoice,
  info: Immutable<HostInfo>,
): Failure | null {
  const lacks = (list: ReadonlyArray<{ readonly name: string }>, name: string | null) =>
    name !== null && known(list, name) === null
  const { preset, domains, profile, compare } = link
  const isSide =
    compare === null || compare === DRAFT || compare === run.preset || compareOf(compare, run, info)
  const parts = [
    lacks(info.presets, preset) ? `preset ${preset}` : '',
    lacks(info.domainFiles, domains) ? `domain file ${domains}` : '',
    lacks(info.profiles, profile) ? `profile ${profile}` : '',
    isSide === null ? `compared side ${compare}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return null
  return {
    what: `This is not exactly what the link shows: this workspace has no ${parts.join(' and no ')}`,
    where: '',
    do: `Shown with preset ${run.preset} and domain file ${run.domains}.`,
  }
}

/**
 * The configuration for a source: the link's, else the sample's recommended one, else the usual one (`usualOf`). Names
 * are accepted unchecked until the host has sent its lists (`checkedRun`).
 */
export function runOf(
  source: ShownSource,
  link: Link,
): Pick<ViewState, 'run' | 'compare' | 'draftWanted'> {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  const sample = sampleOf(source)
  // A link that names a source is complete: an omitted profile or comparison is off, even if the sample recommends one.
  const advice = link.source === null ? sample : undefined
  const usual = usualOf(link, view.run)
  const run: RunChoice = {
    preset: existing(info?.presets, link.preset, sample?.preset) ?? usual.preset,
    domains: existing(info?.domainFiles, link.domains) ?? usual.domains,
    // [F60] A name that does not exist stays, so that it can be said.
    profile: link.profile ?? advice?.profile ?? null,
  }
  const value = link.compare ?? advice?.compare ?? null
  return { run, compare: comparedWith(value, run, info), draftWanted: value === DRAFT }
}

/**
 * [U187] Replaces unchecked names of a choice with existing ones.
 * @param usual names from the settings, used if the link's name does not exist
 * @param keepsProfile [F60] keeps a link's profile, so that its absence can be reported
 */
export function checkedRun(
  run: RunChoice,
  {
    info,
    usual,
    keepsProfile,
  }: {
    readonly info: Pick<Immutable<HostInfo>, 'presets' | 'domainFiles' | 'profiles'>
    readonly usual: RunChoice
    readonly keepsProfile: boolean
  },
): RunChoice {
  const { presets, domainFiles, profiles } = info
  return {
    preset: known(presets, run.preset, usual.preset) ?? presets[0]?.name ?? run.preset,
    domains: known(domainFiles, run.domains, usual.domains) ?? domainFiles[0]?.name ?? run.domains,
    profile: keepsProfile ? run.profile : known(profiles, run.profile),
  }
}
