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

/** What lies over a configuration: the draft, the domain file at a revision, or what ran. */
type OverChoice = Extract<WireCompared, { readonly kind: string }>

/** [L50] What the session in view is compared with: another configuration, or something over it. */
export interface CompareChoice extends RunChoice {
  /** Null: the configuration itself. */
  readonly over: OverChoice | null
}

const HASH_CHARS = 8
/** [U100] Known by its text only: the window waits for what was left over the domain file. */
export const DRAFT = 'draft'
const DOMAINS = 'domains:'
const REVISION = 'revision:'

/** What a link, the header and the panel call it. A preset goes by its name alone. */
export function compareValue(choice: CompareChoice, run: RunChoice): string {
  const { over, preset, domains } = choice
  if (over?.kind === 'revision') return `${REVISION}${over.revision}`
  if (over !== null) return over.kind
  return preset === run.preset && domains !== run.domains ? `${DOMAINS}${domains}` : preset
}

/** How people read it. */
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
 * The side that a value names; null where it names nothing, or this side itself. A draft is known by
 * its text only: its value alone names none.
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

/** The same side beside another configuration in force; null where the two are one then. */
export function compareBeside(
  choice: CompareChoice,
  before: RunChoice,
  run: RunChoice,
): CompareChoice | null {
  const { over } = choice
  if (over?.kind === 'revision') return { ...run, over: { ...over, config: wireRun(run) } }
  // A draft is one of a domain file: the panel chooses it anew where there is one.
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
