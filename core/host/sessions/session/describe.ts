import { BUNDLE_OPTIONS } from '../../../engine/bundle/options.ts'
import { BELIEF_OPTIONS } from '../../../engine/belief/options.ts'
import { presetFor } from '../../../engine/skills/options.ts'
import { gateReport } from '../../../engine/belief/profile.ts'
import { breakMinimum, createRules } from '../../../engine/belief/rules.ts'
import type { HostInfo, PresetInfo, ProfileInfo } from '../../../wire/contract.ts'
import type { DomainSet } from '../../../engine/matcher/domains.ts'
import type { Problem } from '../../../engine/result.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { BeliefOptions, Preset } from '../../../engine/schema/preset.ts'
import { PROMPT_OPTIONS } from '../../../engine/prompt/options.ts'
import { QUERY_OPTIONS } from '../../../engine/query/options.ts'
import { SELF_SIGNAL_OPTIONS } from '../../../engine/self-signal/options.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { Pipelines } from '../../rules/pipelines.ts'
import type { DataFileRef } from '../../workspace/data-kinds.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Contents of the workspace, as the window lists them. */
type WorkspaceInfo = Pick<HostInfo, 'presets' | 'domainFiles' | 'profiles'>
type Compile = Pipelines['domainSet']

interface DescribeParts {
  readonly compile: Compile
  /** Told of the domains that windows start with. */
  readonly onDefault: (set: DomainSet) => void
}

/** Lists the files of the workspace; a broken one is listed with its problem. */
export async function describeWorkspace(
  workspace: Workspace,
  { compile, onDefault }: DescribeParts,
): Promise<Immutable<WorkspaceInfo>> {
  const [presets, domainFiles, profiles] = await Promise.all([
    workspace.list('presets'),
    workspace.list('domains'),
    workspace.list('models'),
  ])
  const set = await defaultSet(workspace, compile)
  onDefault(set)
  return {
    presets: await Promise.all(presets.map((file) => describePreset(workspace, file))),
    domainFiles: await Promise.all(
      domainFiles.map((file) => describeDomainFile(workspace, file, compile)),
    ),
    profiles: await Promise.all(profiles.map((file) => describeProfile(workspace, file, set))),
  }
}

const line = (problem: Problem) => `${problem.what} (${problem.where}). ${problem.do}.`

async function describePreset(
  workspace: Workspace,
  { name }: DataFileRef,
): Promise<Immutable<PresetInfo>> {
  const loaded = await workspace.preset(name)
  if (!loaded.ok) {
    return { name, title: `${name} (cannot be used)`, help: line(loaded.error), differs: [] }
  }
  const { title, help } = loaded.value.value
  return { name, title, help, differs: differences(loaded.value.value) }
}

interface OptionLine {
  readonly help: string
  readonly recommended: unknown
}

/** Sections of a preset with their option tables, in the order in which they are shown. */
const SECTIONS: ReadonlyArray<readonly [SectionName, ReadonlyMap<string, OptionLine>]> = [
  ['belief', linesOf(BELIEF_OPTIONS)],
  ['selfSignal', linesOf(SELF_SIGNAL_OPTIONS)],
  ['query', linesOf(QUERY_OPTIONS)],
  ['prompt', linesOf(PROMPT_OPTIONS)],
  ['bundle', linesOf(BUNDLE_OPTIONS)],
]
type SectionName = 'belief' | 'selfSignal' | 'query' | 'prompt' | 'bundle'

function linesOf(
  table: Readonly<Record<string, { readonly help: string; readonly value: unknown }>>,
): ReadonlyMap<string, OptionLine> {
  return new Map(
    Object.entries(table).map(([option, { help, value }]) => [
      option,
      { help, recommended: value },
    ]),
  )
}

/** Options that differ from `recommended`, in the order of the option tables. */
function differences(preset: Preset): PresetInfo['differs'] {
  return SECTIONS.flatMap(([section, table]) => {
    const options = preset[section]
    // A preset written before a section existed means its recommended values.
    if (options === undefined) return []
    const given = new Map<string, unknown>(Object.entries(options))
    return [...table].flatMap(([option, { help, recommended }]) => {
      const value = given.get(option)
      if (canonical(value) === canonical(recommended)) return []
      return [{ option, value: shownValue(value), help }]
    })
  })
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function shownValue(value: unknown): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  if (typeof value !== 'object') return ''
  if (Array.isArray(value)) return value.length === 0 ? 'none' : JSON.stringify(value)
  const entries = Object.entries(value).map(([key, each]) => `${key} ${shownValue(each)}`)
  return entries.length === 0 ? 'none' : entries.join(', ')
}

async function describeDomainFile(
  workspace: Workspace,
  { name, shown }: DataFileRef,
  compile: Compile,
) {
  const loaded = await workspace.domains(name)
  if (!loaded.ok) return { name, shown, problem: line(loaded.error) }
  const set = compile(loaded.value, false)
  const { kind } = loaded.value.value
  const problem = set.ok ? null : line(set.error)
  return { name, shown, problem, ...(kind === undefined ? {} : { kind }) }
}

async function describeProfile(
  workspace: Workspace,
  { name }: DataFileRef,
  set: DomainSet,
): Promise<Immutable<ProfileInfo>> {
  const loaded = await workspace.profile(name)
  if (!loaded.ok) {
    const gate = gateReport(null, set, true)
    return { name, model: null, gate, problem: line(loaded.error) }
  }
  const profile = loaded.value.value
  return {
    name,
    model: profile.model ?? null,
    gate: gateReport(profile, set, true),
    problem: null,
  }
}

/** Gates are computed against the default domain file, or the first one that there is. */
async function defaultSet(workspace: Workspace, compile: Compile): Promise<DomainSet> {
  const files = await workspace.list('domains')
  const file = files.find((each) => each.name === 'default') ?? files[0]
  const loaded = file ? await workspace.domains(file.name) : null
  const set = loaded?.ok === true ? compile(loaded.value, false) : null
  if (set?.ok === true) return set.value
  const options = { asciiBoundaries: false }
  return {
    name: '',
    kind: null,
    madeFrom: [],
    domains: [],
    byName: new Map(),
    signals: [],
    options,
  }
}

/** Domains of a file under a preset, in configuration order. */
export async function describeDomains(
  workspace: Workspace,
  compile: Compile,
  { preset, domains }: { readonly preset: string; readonly domains: string },
) {
  const given = valueOrRefuse(await workspace.preset(preset)).value
  const file = valueOrRefuse(await workspace.domains(domains))
  const set = valueOrRefuse(compile(file, given.belief.asciiBoundaries))
  const { belief } = presetFor(set, given)
  const rules = createRules(belief, set)
  return {
    domains: set.domains.map((domain) => ({
      name: domain.name,
      priority: domain.priority,
      signals: domain.signals.length,
      brief: domain.briefDescription ?? '',
      breakMinSignals: breakMinimum(rules, domain.name),
    })),
    warnings: warningsOf(set, belief),
  }
}

/** Valid settings that are probably a mistake. */
function warningsOf(set: DomainSet, belief: BeliefOptions): string[] {
  const empty = set.domains.filter((domain) => domain.signals.length === 0)
  const warnings = empty.map((domain) => `domain "${domain.name}" has no signals: it never scores`)
  if (set.kind === null && !set.byName.has(belief.defaultDomain)) {
    warnings.push(
      `the default domain "${belief.defaultDomain}" is not in this file: turns without a match get it, without enrichment`,
    )
  }
  return warnings
}
