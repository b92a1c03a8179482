import {
  type OptionChange,
  type Outcome,
  optionChanges,
  searchCauses,
  stepsOfSearch,
  withOptions,
} from '../../engine/lab/causes.ts'
import type { FlipCause } from '../../engine/schema/compare.ts'
import type { ConfigFiles } from '../files/config-files.ts'

/** One difference between two configurations, and how to take it over. */
interface Change {
  readonly shown: Pick<FlipCause, 'name' | 'from' | 'to'>
  readonly isCompared: boolean
  readonly option: OptionChange | null
  readonly take: (files: ConfigFiles) => ConfigFiles
}

/** Whole files are switched as one: what of a domain file flips is what Tune is for. */
function fileChanges(a: ConfigFiles, b: ConfigFiles): readonly Change[] {
  const change = (is: boolean, shown: Change['shown'], take: Change['take']): readonly Change[] =>
    is ? [{ shown, take, isCompared: true, option: null }] : []
  const named = (file: ConfigFiles['profile'] | ConfigFiles['domains']) => file?.file.name ?? 'none'
  const kinds = ({ config }: ConfigFiles) => JSON.stringify(config.classify)
  return [
    ...change(
      a.domains.fingerprint !== b.domains.fingerprint,
      { name: 'domain file', from: named(a.domains), to: named(b.domains) },
      (files) => ({ ...files, domains: b.domains }),
    ),
    ...change(
      a.profile?.fingerprint !== b.profile?.fingerprint,
      { name: 'model profile', from: named(a.profile), to: named(b.profile) },
      (files) => ({ ...files, profile: b.profile }),
    ),
    ...change(
      kinds(a) !== kinds(b),
      { name: 'texts that are turns', from: kinds(a), to: kinds(b) },
      (files) => ({ ...files, config: { ...files.config, classify: b.config.classify } }),
    ),
  ]
}

function changesOf(a: ConfigFiles, b: ConfigFiles): readonly Change[] {
  const options = optionChanges(a.preset.value, b.preset.value)
  return [
    ...fileChanges(a, b),
    ...options.map((option) => ({
      shown: { name: option.name, from: option.from, to: option.to },
      ...{ option, isCompared: option.isCompared },
      take: (files: ConfigFiles) => files,
    })),
  ]
}

/** This side with some changes as the other side has them. Equal choices have equal fingerprints. */
function switched(a: ConfigFiles, b: ConfigFiles, changes: readonly Change[]): ConfigFiles {
  const files = changes.reduce((made, { take }) => take(made), a)
  const options = changes.flatMap(({ option }) => option ?? [])
  if (options.length === 0) return files
  const names = options.map(({ name }) => name).join(' ')
  const fingerprint = `${a.preset.fingerprint} with ${names} of ${b.preset.fingerprint}`
  const value = withOptions(a.preset.value, b.preset.value, options)
  return { ...files, preset: { ...a.preset, value, fingerprint } }
}

interface Search {
  readonly base: ConfigFiles
  readonly other: ConfigFiles
  /** What differs from this side under a configuration. */
  readonly outcome: (files: ConfigFiles) => Promise<Outcome>
  readonly onProgress: (done: number, total: number) => void
}

/** [L52] Switches what differs between two configurations, one at a time, and says what causes flips. */
export async function findCauses({ base, other, outcome, onProgress }: Search): Promise<{
  readonly causes: readonly FlipCause[]
  readonly flips: number
}> {
  const changes = changesOf(base, other)
  const compared = changes.filter(({ isCompared }) => isCompared)
  const total = stepsOfSearch(compared.length)
  let done = 0
  const under = async (chosen: readonly Change[]): Promise<Outcome> => {
    onProgress(done, total)
    done = Math.min(total, done + 1)
    return outcome(switched(base, other, chosen))
  }
  const whole = await under(compared)
  const search = searchCauses(compared.length, whole)
  let step = search.next()
  while (step.done !== true) {
    const chosen = step.value
    step = search.next(await under(compared.filter((_, at) => chosen.has(at))))
  }
  const { alone, needed } = step.value
  const causes = changes.map((change) => {
    const place = compared.indexOf(change)
    return { ...change.shown, alone: alone[place] ?? null, needed: needed.has(place) }
  })
  return { causes, flips: whole.size }
}
