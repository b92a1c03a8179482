import { createLru } from '../../engine/lru.ts'
import { type Problem, type Result, err, ok, mapOk } from '../../engine/result.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import type { Draft, DraftProblem, Side } from '../../engine/schema/lab.ts'
import { BeliefOptions, Preset } from '../../engine/schema/preset.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { type ConfigFiles, loadConfig } from '../workspace/config-files.ts'
import { type Compiled, compilePipeline } from '../rules/pipelines.ts'
import type { DataFileRef, Loaded } from '../workspace/data-kinds.ts'
import { type Workspace, readDataText } from '../workspace/workspace.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import { createTextCompiler } from '../workspace/domains/compile-text.ts'
import { createBlockCache } from '../workspace/domains/domain-pieces.ts'
import { readDomainText } from '../workspace/domains/domain-text.ts'
import { allInText } from '../workspace/domains/text-problem.ts'
import type { DomainText } from '../workspace/domains/text-places.ts'
import type { Git } from '../platform/git/git.ts'
import { fingerprintOf } from '../platform/files/fingerprint.ts'
import { readText } from '../platform/files/regular-file.ts'

/** One side of a comparison, ready to score, with the text of its domain file. */
export interface ResolvedSide {
  readonly compiled: Compiled
  readonly files: ConfigFiles
  readonly text: DomainText
  /** Warnings of patterns, at their places. */
  readonly problems: readonly DraftProblem[]
}

/** Why a side cannot be used: one problem as text, and places if a text causes it. */
export interface SideFailure {
  readonly problem: Problem
  readonly problems: readonly DraftProblem[]
}

export interface Sides {
  /** The files that a configuration names. */
  files(config: ReplayConfig): Promise<Result<ConfigFiles>>
  resolve(side: Side): Promise<Result<ResolvedSide, SideFailure>>
  /** The domain file of a configuration as it is saved. */
  saved(
    config: ReplayConfig,
  ): Promise<Result<{ readonly file: DataFileRef; readonly text: string }>>
  read(text: string): DomainText
}

/** Maximum configurations in memory, so that the scoring of a configuration is found by its pipeline. */
const KEPT = 16

/**
 * [T42] Sides become pipelines. Equal contents give the same pipeline; of an edited text only what
 * changed is parsed and compiled. [I64] Names are those of files in the workspace: a window may not
 * name a file anywhere else. The command line gives another `load`, under which they may be paths.
 */
export function createSides(workspace: Workspace, load = loadConfig): Sides {
  const cache = createBlockCache()
  const compile = createTextCompiler()
  const texts = createLru<string, DomainText>(KEPT)
  const compiled = createLru<string, Compiled>(KEPT)

  const read = (text: string): DomainText =>
    getOrMake(texts, text, () => readDomainText(text, cache))

  function combine({ files, text, saved }: Combining): Result<ResolvedSide, SideFailure> {
    const { shown } = files.domains.file
    if (text.value === null) return err(failureOf(text.problems, shown))
    const { asciiBoundaries } = files.preset.value.belief
    const { set, problems } = compile(text, { file: text.value, saved }, { asciiBoundaries })
    if (set === null) return err(failureOf(problems, shown))
    const key = keyOf(files)
    const known = compiled.get(key)
    const result = known === undefined ? compilePipeline(files, () => ok(set)) : ok(known)
    if (!result.ok) return failed(result.error)
    compiled.set(key, result.value)
    return ok({ compiled: result.value, files, text, problems })
  }

  async function withText(
    config: ReplayConfig,
    { text, options, preset }: Changes,
  ): Promise<Result<ResolvedSide, SideFailure>> {
    const whole = await load(workspace, config)
    const files = whole.ok ? whole : await withoutDomains(workspace, config, whole.error)
    if (!files.ok) return failed(files.error)
    const read_ = read(text ?? (await readText(files.value.domains.file.path)))
    const base = preset ?? files.value.preset
    const patched = options === undefined ? ok(base) : withOptions(base, options)
    if (!patched.ok) return failed(patched.error)
    const domains: Loaded<DomainFile> = {
      ...files.value.domains,
      value: read_.value ?? files.value.domains.value,
      fingerprint: read_.fingerprint,
    }
    const all = { ...files.value, domains, preset: patched.value }
    return combine({ files: all, text: read_, saved: files.value.domains.value })
  }

  async function atRevision(config: ReplayConfig, revision: string) {
    const files = await load(workspace, config)
    if (!files.ok) return failed(files.error)
    const text = await workspace.git.textAt(files.value.domains.file.path, revision)
    if (!text.ok) return failed(text.error)
    const preset = await presetAt(workspace.git, files.value, revision)
    if (!preset.ok) return failed(preset.error)
    return withText(config, { text: text.value, preset: preset.value })
  }

  return {
    read,
    files: (config) => load(workspace, config),
    saved: (config) => savedText(workspace, config, load),
    resolve: (side) => {
      if (side.kind === 'revision') return atRevision(side.config, side.revision)
      if (side.kind === 'config') return withText(side.config, { text: null })
      const { config, domainsText, options } = side.draft
      return withText(config, { text: domainsText, options })
    },
  }
}

interface Combining {
  readonly files: ConfigFiles
  readonly text: DomainText
  /** The domain file as it is saved. */
  readonly saved: DomainFile
}

interface Changes {
  /** Null = as saved. */
  readonly text: string | null
  readonly options?: Draft['options']
  readonly preset?: Loaded<Preset>
}

async function savedText(workspace: Workspace, config: ReplayConfig, load: typeof loadConfig) {
  const files = await load(workspace, config)
  if (files.ok) return textOf(files.value.domains.file)
  const found = await workspace.find('domains', config.domains)
  // A file with a mistake in it can be tuned all the same: that is how it gets well again.
  return found.ok ? textOf(found.value) : err(files.error)
}

async function textOf(file: DataFileRef): Promise<Result<{ file: DataFileRef; text: string }>> {
  return mapOk(await readDataText(file), (text) => ({ file, text }))
}

/** A configuration whose domain file cannot be used as it is saved; a draft may mend it. */
async function withoutDomains(
  workspace: Workspace,
  config: ReplayConfig,
  problem: Problem,
): Promise<Result<ConfigFiles>> {
  const file = await workspace.find('domains', config.domains)
  const preset = await workspace.preset(config.preset)
  const profile = config.profile === null ? null : await workspace.profile(config.profile)
  if (!file.ok || !preset.ok || profile?.ok === false) return err(problem)
  const domains = { value: { domains: [] }, fingerprint: '', file: file.value }
  return ok({
    config,
    preset: preset.value,
    domains,
    warnings: [],
    profile: profile?.value ?? null,
  })
}

/**
 * [T43] The preset as it was. One that was not there yet stays as it is now, and so does one of another
 * repository than the domain file's: there the revision would be another commit.
 */
async function presetAt(
  git: Git,
  { preset: now, domains }: ConfigFiles,
  revision: string,
): Promise<Result<Loaded<Preset>>> {
  if (!(await git.inOneRepository(now.file.path, domains.file.path))) return ok(now)
  const text = await git.textAt(now.file.path, revision)
  if (!text.ok) return ok(now)
  const value = parseDataFile(Preset, text.value, `${now.file.shown} (${revision})`)
  return value.ok
    ? ok({ ...now, value: value.value, fingerprint: fingerprintOf(text.value) })
    : value
}

function withOptions(preset: Loaded<Preset>, options: Draft['options']): Result<Loaded<Preset>> {
  const given = Object.entries(options)
  if (given.length === 0) return ok(preset)
  const belief = BeliefOptions.safeParse({ ...preset.value.belief, ...Object.fromEntries(given) })
  if (!belief.success) {
    const [issue] = belief.error.issues
    return err({
      what: fieldWords(issue, 'the options'),
      where: preset.file.shown,
      do: 'Choose another value',
    })
  }
  const fingerprint = `${preset.fingerprint} ${JSON.stringify(given)}`
  return ok({ ...preset, value: { ...preset.value, belief: belief.data }, fingerprint })
}

/** A failure that has no place in the text. */
const failed = (problem: Problem) => err({ problem, problems: [] })

function failureOf(problems: readonly DraftProblem[], where: string): SideFailure {
  return { problem: allInText(problems, where), problems }
}

function keyOf({ config, preset, domains, profile }: ConfigFiles): string {
  const files = [preset, domains, profile].map((file) => file?.fingerprint ?? '')
  return JSON.stringify([files, config.classify])
}
