import {
  type OptionChange,
  type Outcome,
  type Part,
  optionChanges,
  searchCauses,
  stepsOfSearch,
  withOptions,
} from '../../engine/lab/flips/causes.ts'
import type { FlipCause } from '../../engine/schema/compare.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'

type Shown = Pick<FlipCause, 'name' | 'from' | 'to'>

/** One difference between two configurations, and how to take it over. */
interface Change {
  readonly shown: Shown
  readonly option: OptionChange | null
  readonly take: (files: ConfigFiles) => ConfigFiles
}

/** Whole files are switched as one. Tune shows which part of a domain file causes flips. */
function fileChanges(a: ConfigFiles, b: ConfigFiles): readonly Change[] {
  const change = (is: boolean, shown: Change['shown'], take: Change['take']): readonly Change[] =>
    is ? [{ shown, take, option: null }] : []
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

const shownOf = ({ name, from, to }: OptionChange): Shown => ({ name, from, to })

/** Options in given parts of a preset that differ between two sides, in display form. */
export function listedChanges(
  a: ConfigFiles,
  b: ConfigFiles,
  parts: ReadonlySet<Part>,
): readonly FlipCause[] {
  return optionChanges(a.preset.value, b.preset.value)
    .filter(({ part }) => parts.has(part))
    .map((change) => ({ ...shownOf(change), alone: null, needed: false }))
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

export interface FoundCauses {
  readonly causes: readonly FlipCause[]
  readonly flips: number
}

type Progress = (done: number, total: number) => void

/** [L52] Switches changes one at a time, then together; the same choice is never computed twice. */
export async function searchChanges(
  shown: readonly Shown[],
  outcome: (chosen: ReadonlySet<number>) => Promise<Outcome>,
  onProgress: Progress,
): Promise<FoundCauses> {
  const total = stepsOfSearch(shown.length)
  const known = new Map<string, Outcome>()
  let done = 0
  const under = async (chosen: ReadonlySet<number>): Promise<Outcome> => {
    onProgress(done, total)
    done = Math.min(total, done + 1)
    const key = [...chosen].toSorted((a, b) => a - b).join(' ')
    const found = known.get(key) ?? (await outcome(chosen))
    known.set(key, found)
    return found
  }
  const whole = shown.length === 0 ? new Map() : await under(new Set(shown.keys()))
  const search = searchCauses(shown.length, whole)
  let step = search.next()
  while (step.done !== true) step = search.next(await under(step.value))
  const { alone, needed } = step.value
  const causes = shown.map((each, at) => ({
    ...each,
    alone: alone[at] ?? null,
    needed: needed.has(at),
  }))
  return { causes, flips: whole.size }
}

interface Search {
  readonly base: ConfigFiles
  readonly other: ConfigFiles
  /** Parts of a preset whose options can affect the comparison. */
  readonly parts: ReadonlySet<Part>
  /** Whether files and kinds of turns can. */
  readonly files: boolean
  /** Returns the differences from this side under a configuration. */
  readonly outcome: (files: ConfigFiles) => Promise<Outcome>
  readonly onProgress: Progress
}

/** [L52] Switches what differs between two configurations, one at a time, and says what causes flips. */
export async function findCauses(search: Search): Promise<FoundCauses> {
  const { base, other, parts, files: isOfFiles, outcome, onProgress } = search
  const options = optionChanges(base.preset.value, other.preset.value)
  const changes: readonly Change[] = [
    ...(isOfFiles ? fileChanges(base, other) : []),
    ...options
      .filter(({ part }) => parts.has(part))
      .map((option) => ({ option, shown: shownOf(option), take: (files: ConfigFiles) => files })),
  ]
  return searchChanges(
    changes.map(({ shown }) => shown),
    (chosen) =>
      outcome(
        switched(
          base,
          other,
          changes.filter((_, at) => chosen.has(at)),
        ),
      ),
    onProgress,
  )
}
