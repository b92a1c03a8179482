import type { Mark } from '../../wire/contract.ts'
import { createLru } from '../../engine/lru.ts'
import { type DomainSet, checkDomains, compileDomains } from '../../engine/matcher/domains.ts'
import { loadDomains } from '../../engine/matcher/load-domains.ts'
import { type Pipeline, createPipeline } from '../../engine/pipeline.ts'
import { type Problem, type Result, err, ok } from '../../engine/result.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { SessionEvent } from '../../engine/schema/event.ts'
import type { ClassifyKinds } from '../../engine/schema/preset.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Loaded } from '../workspace/data-kinds.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import { offerPatterns, parsedBefore } from '../automata/current.ts'
import { problemsFinder } from '../workspace/domains/find-problems.ts'
import { getOrMake } from '../platform/get-or-make.ts'

/** A pipeline ready to replay, with its configuration. */
export interface Compiled {
  readonly pipeline: Pipeline
  readonly config: ReplayConfig
  readonly classify: ClassifyKinds
  readonly warnings: readonly string[]
  /** Equal keys give equal replays: contents of all files, and which texts are classified. */
  readonly key: string
  /** Marks found before: the list asks again for every row that scrolls back into view. */
  readonly marks: WeakMap<SessionEvent, { readonly shown: number; readonly marks: readonly Mark[] }>
}

/** [B18] Several problems as one that names them all, each with its place. */
export function allProblems(problems: readonly Problem[], where: string): Problem {
  const [first, ...others] = problems
  if (!first) return { what: 'cannot be used', where, do: 'Check the file' }
  const more = others.map((other) => `; ${where}, ${other.where}: ${other.what}`)
  return {
    what: `${first.what}${more.join('')}`,
    where: `${where}, ${first.where}`,
    do: first.do.replace(/\.$/u, ''),
  }
}

/** Compiles the signals of a domain file; a problem names file, domain, signal and column. */
function compileDomainFile(file: Loaded<DomainFile>, asciiBoundaries: boolean): Result<DomainSet> {
  const { shown } = file.file
  // A file read as text is already validated except for this.
  const check = file.text === undefined ? loadDomains : checkDomains
  const checked = check(file.value, file.file.name)
  if (!checked.ok) return err(allProblems(checked.error, shown))
  offerPatterns(checked.value, { asciiBoundaries })
  const set = compileDomains(checked.value, { asciiBoundaries })
  const { text } = file
  if (set.ok) {
    if (text !== undefined) parsedBefore.keep({ kind: 'domains', name: shown, text }, file.value)
    return set
  }
  const findProblems = problemsFinder()
  if (text === undefined || findProblems === null) return err(allProblems(set.error, shown))
  // Only now, because reading places costs more than compiling.
  return findProblems(file, text, asciiBoundaries)
}

/** Puts the pipeline of a configuration together. */
export function compilePipeline(
  files: ConfigFiles,
  compile: typeof compileDomainFile = compileDomainFile,
): Result<Compiled> {
  const { config, preset, domains, profile } = files
  const set = compile(domains, preset.value.belief.asciiBoundaries)
  if (!set.ok) return set
  const pipeline = createPipeline(set.value, preset.value, profile?.value ?? null)
  if (!pipeline.ok) return err(allProblems(pipeline.error, preset.file.shown))
  // Without a profile nothing is meant to be gated: only a chosen one can be a dead gate (L10).
  const gate = profile === null ? [] : pipeline.value.gate.warnings
  const quiet = { ...pipeline.value, gate: { ...pipeline.value.gate, warnings: gate } }
  return ok({
    pipeline: quiet,
    config,
    // A choice of kinds says nothing of notices.
    classify: { ...pipeline.value.preset.belief.classify, ...config.classify },
    warnings: [...files.warnings, ...gate.map((line) => `${profile?.file.name ?? ''}: ${line}`)],
    key: configKeyOf(files),
    marks: new WeakMap(),
  })
}

/** Names and contents of a configuration's files: equal keys give equal replays. */
export function configKeyOf({ config, preset, domains, profile }: ConfigFiles): string {
  const files = [preset, domains, profile].map((file) => file?.fingerprint ?? '')
  // Names are part of the answer (`columns.config`), so equal files of other names differ.
  return JSON.stringify([files, config])
}

/** Cache of compiled pipelines and their domain files, by content. */
export interface Pipelines {
  get(files: ConfigFiles): Result<Compiled>
  /** Compiling takes a third of a second on a slow machine. Most presets share the result. */
  readonly domainSet: typeof compileDomainFile
}

const KEPT = 8

export function createPipelines(): Pipelines {
  const pipelines = createLru<string, Result<Compiled>>(KEPT)
  const sets = createLru<string, Result<DomainSet>>(KEPT)
  const domainSet = (file: Loaded<DomainFile>, asciiBoundaries: boolean) =>
    getOrMake(sets, `${file.file.path} ${file.fingerprint} ${asciiBoundaries}`, () =>
      compileDomainFile(file, asciiBoundaries),
    )
  return {
    domainSet,
    get: (files) =>
      getOrMake(pipelines, configKeyOf(files), () => compilePipeline(files, domainSet)),
  }
}
