import type { z } from 'zod'
import type { Compared } from '../../core/engine/schema/compare.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'

/** Presets, domain files and profile that a replay runs with, by name. */
export interface RunChoice {
  readonly preset: string
  readonly domains: string
  readonly profile: string | null
}

/** As the wire takes it: lists may be written to. */
export type WireCompared = z.input<typeof Compared>

/** An overlay on a configuration: the draft, the domain file at a revision, or the recorded run. */
type OverChoice = Extract<WireCompared, { readonly kind: string }>

/** [L50] The other side of a comparison with the session in view: another configuration, or an overlay on one. */
export interface CompareChoice extends RunChoice {
  /** Null: the configuration itself. */
  readonly over: OverChoice | null
}

const HASH_CHARS = 8
/** [U100] A draft is identified only by its text, so the window waits for the unsaved draft of the domain file. */
export const DRAFT = 'draft'
const DOMAINS = 'domains:'
const REVISION = 'revision:'

/** The name of the side in a link, the header and the panel. A preset uses its plain name. */
export function compareValue(choice: CompareChoice, run: RunChoice): string {
  const { over, preset, domains } = choice
  if (over?.kind === 'revision') return `${REVISION}${over.revision}`
  if (over !== null) return over.kind
  return preset === run.preset && domains !== run.domains ? `${DOMAINS}${domains}` : preset
}

/** Display name of the choice. */
export function compareName(choice: CompareChoice, run: RunChoice): string {
  const { over } = choice
  if (over?.kind === 'draft') return 'the draft'
  if (over?.kind === 'observed') return 'what ran'
  if (over?.kind === 'revision')
    return /^[0-9a-f]{12,}$/u.test(over.revision)
      ? over.revision.slice(0, HASH_CHARS)
      : over.revision
  const { preset, domains } = choice
  return preset === run.preset && domains !== run.domains ? domains : preset
}

/** As the wire takes it. */
export function wireCompared({ over, ...run }: CompareChoice): WireCompared {
  return over ?? wireRun(run)
}

function wireRun({ preset, domains, profile }: RunChoice) {
  return { preset, domains, profile, classify: null }
}

interface Known {
  readonly presets: ReadonlyArray<{ readonly name: string }>
  readonly domainFiles: ReadonlyArray<{ readonly name: string }>
}

/**
 * The side that a value names. Null if it names nothing, or this side itself. `draft` alone names no side, because a
 * draft is identified only by its text.
 */
export function compareOf(
  value: string,
  run: RunChoice,
  { presets, domainFiles }: Immutable<Known>,
): CompareChoice | null {
  const has = (list: Immutable<Known>['presets'], name: string) =>
    list.some((entry) => entry.name === name)
  if (value === run.preset) return null
  if (has(presets, value)) return { ...run, preset: value, over: null }
  if (value === 'observed') return { ...run, over: { kind: 'observed' } }
  if (value.startsWith(DOMAINS)) {
    const domains = value.slice(DOMAINS.length)
    if (domains === run.domains || !has(domainFiles, domains)) return null
    return { ...run, domains, over: null }
  }
  if (!value.startsWith(REVISION)) return null
  const revision = value.slice(REVISION.length).trim()
  if (revision === '') return null
  return { ...run, over: { kind: 'revision', config: wireRun(run), revision } }
}

/** The same side next to another configuration in force. Null if the two sides would be equal. */
export function compareBeside(
  choice: CompareChoice,
  before: RunChoice,
  run: RunChoice,
): CompareChoice | null {
  const { over } = choice
  if (over?.kind === 'revision') return { ...run, over: { ...over, config: wireRun(run) } }
  // A draft belongs to one domain file. If the file changes, the panel chooses its draft again, if one exists.
  if (over?.kind === 'draft')
    return run.domains === before.domains
      ? { ...run, over: { ...over, draft: { ...over.draft, config: wireRun(run) } } }
      : null
  if (over !== null) return { ...run, over }
  const preset = choice.preset === before.preset ? run.preset : choice.preset
  const domains = choice.domains === before.domains ? run.domains : choice.domains
  if (preset === run.preset && domains === run.domains) return null
  return { ...run, preset, domains, over: null }
}
