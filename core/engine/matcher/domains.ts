import type { DomainEntry, DomainFile } from '../schema/domain.ts'
import { err, ok, type Problem, type Result } from '../result.ts'
import { patternIdentity } from './python/pattern-cache.ts'
import { compileSignal, pythonFlags, type CompiledSignal, type MatcherOptions } from './signal.ts'
import { keptIn } from '../maps.ts'
import { type CompiledFileTriggers, compileFileTriggers } from '../skills/file-triggers.ts'

/** One domain, ready to score. `undefined` = the file does not say; the preset's map decides. */
export interface CompiledDomain {
  readonly name: string
  /** Place in the configuration. */
  readonly index: number
  readonly priority: number
  readonly aliases: readonly string[]
  readonly signals: readonly CompiledSignal[]
  /** Number of the domain's first signal among all signals of the set. */
  readonly firstSignal: number
  readonly breakMinSignals: number | null | undefined
  readonly minSignals: number | undefined
  /** [K15] */
  readonly minScore: number | undefined
  readonly briefDescription: string | undefined
  readonly enrichmentTemplate: string | undefined
  /** [K24] Null: none. */
  readonly fileTriggers: CompiledFileTriggers | null
}

/**
 * Domains in configuration order. Arrays and a Map, never objects keyed by name: those put
 * integer-like names first, and ties are decided by order (B13).
 */
export interface DomainSet {
  readonly name: string
  /** [K12] Null: domains. */
  readonly kind: 'skill-rules' | null
  /** [L101] Sources of labels that signals were made from. */
  readonly madeFrom: readonly string[]
  readonly domains: readonly CompiledDomain[]
  readonly byName: ReadonlyMap<string, CompiledDomain>
  /** All signals of all domains, domain by domain. */
  readonly signals: readonly CompiledSignal[]
  readonly options: MatcherOptions
}

const owners = new WeakMap<DomainSet, readonly CompiledDomain[]>()

/** The domain of every signal of the set, by number. Anti-signals come after them and have none. */
export function ownersOf(set: DomainSet): readonly CompiledDomain[] {
  return keptIn(owners, set, () =>
    set.domains.flatMap((domain) => domain.signals.map(() => domain)),
  )
}

/** [C2] Domain Priority Order of compound-bst.md. */
const DEFAULT_PRIORITY: ReadonlyMap<string, number> = new Map([
  ['investigation', 1],
  ['analysis', 2],
  ['bugfix', 3],
  ['coding', 4],
  ['planning', 5],
  ['system_admin', 6],
  ['config_edit', 7],
  ['prompt_engineering', 8],
  ['git_ops', 9],
  ['file_ops', 10],
])
/** [B13] Priority of a domain that the table does not name. */
const LAST_PRIORITY = 99

/** Priority of a domain whose configuration gives none: the document's table, else 99. */
export function defaultPriority(name: string): number {
  return DEFAULT_PRIORITY.get(name) ?? LAST_PRIORITY
}

/** A check beyond the schema of a domain file: no alias belongs to two domains. `name`: see `loadDomains`. */
export function checkDomains(
  file: DomainFile,
  name: string,
): Result<DomainFile, readonly Problem[]> {
  const problems = aliasProblems(file.domains, name)
  return problems.length === 0 ? ok(file) : err(problems)
}

function aliasProblems(domains: readonly DomainEntry[], file: string): readonly Problem[] {
  const owners = new Map(domains.map((domain) => [domain.name, domain.name]))
  const problems: Problem[] = []
  for (const domain of domains)
    for (const alias of domain.aliases ?? []) {
      const owner = owners.get(alias)
      if (owner !== undefined && owner !== domain.name)
        problems.push({
          what: `alias "${alias}" already means domain "${owner}"`,
          where: `${file}, domain "${domain.name}"`,
          do: 'Remove the alias from one of them.',
        })
      owners.set(alias, domain.name)
    }
  return problems
}

/** [C23] The patterns of Python in a domain file, in its order, as `knownPattern` takes them. */
export function patternIdentities(file: DomainFile, options: MatcherOptions): readonly string[] {
  return file.domains.flatMap(({ signals }) =>
    signals.flatMap((entry) => {
      const { pattern, dialect, flags } =
        typeof entry === 'string' ? { pattern: entry } : (entry satisfies object)
      if ((dialect ?? 'python') !== 'python') return []
      return [patternIdentity(pattern, pythonFlags(flags ?? '', options))]
    }),
  )
}

function signalPlace(domain: string, index: number, id: string | undefined): string {
  return `domain "${domain}", signal ${index + 1}${id === undefined ? '' : ` (${id})`}`
}

interface Compiling {
  readonly options: MatcherOptions
  readonly compile: typeof compileSignal
}

function compileSignals(
  entry: DomainEntry,
  { options, compile }: Compiling,
  problems: Problem[],
): readonly CompiledSignal[] {
  const compiled: CompiledSignal[] = []
  for (const [index, signal] of entry.signals.entries()) {
    const id = typeof signal === 'string' ? undefined : signal.id
    const result = compile(signal, signalPlace(entry.name, index, id), options)
    if (result.ok) compiled.push(result.value)
    else problems.push(result.error)
  }
  return compiled
}

/**
 * Compiles every signal of a domain file. Returns all problems, each with domain, signal (1-based, with its id) and
 * column (B16). `compile` may cache earlier results.
 */
export function compileDomains(
  file: DomainFile,
  options: MatcherOptions,
  compile: typeof compileSignal = compileSignal,
): Result<DomainSet, readonly Problem[]> {
  const problems: Problem[] = []
  const domains: CompiledDomain[] = []
  let firstSignal = 0
  for (const [index, entry] of file.domains.entries()) {
    const signals = compileSignals(entry, { options, compile }, problems)
    domains.push({
      name: entry.name,
      index,
      priority: entry.priority ?? defaultPriority(entry.name),
      aliases: entry.aliases ?? [],
      signals,
      firstSignal,
      breakMinSignals: entry.breakMinSignals,
      minSignals: entry.minSignals,
      minScore: entry.minScore,
      briefDescription: entry.brief_description,
      enrichmentTemplate: entry.enrichment_template,
      fileTriggers: compileFileTriggers(entry.fileTriggers, `domain "${entry.name}"`, problems),
    })
    firstSignal += signals.length
  }
  if (problems.length > 0) return err(problems)
  return ok({
    name: file.name ?? '',
    kind: file.kind ?? null,
    madeFrom: file.madeFrom ?? [],
    domains,
    byName: new Map(domains.map((domain) => [domain.name, domain])),
    signals: domains.flatMap((domain) => domain.signals),
    options: { asciiBoundaries: options.asciiBoundaries },
  })
}
