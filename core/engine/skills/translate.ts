import type { Dialect, DomainEntry, DomainFile, SignalEntry } from '../schema/domain.ts'
import { SKILL_PRIORITIES, type SkillRule, type SkillRulesFile } from '../schema/skill-rules.ts'

/** Steps from the top of the file to a value. */
export type JsonPath = ReadonlyArray<string | number>

/** Positions of a skill and its triggers in the file. */
export interface SkillPlaces {
  readonly path: JsonPath
  /** By index of the signal. */
  readonly signals: readonly JsonPath[]
}

/** Skills as domains, and where each thing of them was written. */
export interface Translated {
  readonly file: DomainFile
  /** By index of the domain. */
  readonly places: readonly SkillPlaces[]
  /** [K16] Patterns over the contents of edited files. */
  readonly contents: ReadonlyArray<{
    readonly skill: string
    readonly pattern: string
    readonly path: JsonPath
  }>
}

type Entry = Exclude<SignalEntry, string>

interface Found {
  readonly entry: Entry
  readonly path: JsonPath
}

interface Kind {
  readonly key:
    'keywords' | 'keywordPatterns' | 'intentPatterns' | 'contextPatterns' | 'contentPatterns'
  readonly dialect: Dialect
  readonly note: string
  /** Its name in `scoring`. */
  readonly counts: string
  /** However many match, the skill counts it once. */
  readonly once: boolean
}

/** [K11] Triggers searched in a message, in the order of the hooks. */
const KINDS: readonly Kind[] = [
  { key: 'keywords', dialect: 'keyword', note: 'keyword', counts: 'keyword', once: false },
  {
    key: 'keywordPatterns',
    dialect: 'js',
    note: 'keyword pattern',
    counts: 'keywordPattern',
    once: false,
  },
  {
    key: 'intentPatterns',
    dialect: 'js',
    note: 'intent pattern',
    counts: 'intentPattern',
    once: true,
  },
  {
    key: 'contextPatterns',
    dialect: 'keyword',
    note: 'context',
    counts: 'contextPattern',
    once: false,
  },
  {
    key: 'contentPatterns',
    dialect: 'js',
    note: 'content pattern',
    counts: 'contentPattern',
    once: true,
  },
]

/** [K14] Does the file add up what matched? Else one match is as good as many. */
function isScored(file: SkillRulesFile): boolean {
  return file.scoring !== undefined || file.config?.minConfidenceScore !== undefined
}

interface Context {
  readonly file: SkillRulesFile
  readonly scored: boolean
}

/**
 * Weight of a trigger: its own weight, or that of its kind. Without scoring, all triggers of a skill form one group
 * that counts 1.
 */
function counting({ file, scored }: Context, kind: Pick<Kind, 'counts' | 'once'>, own?: number) {
  if (!scored) return { weight: own === 0 ? 0 : 1, group: 'message' }
  const scoring: Readonly<Record<string, unknown>> = file.scoring ?? {}
  const given = scoring[kind.counts]
  const weight = own ?? (typeof given === 'number' ? given : 1)
  return kind.once ? { weight, group: kind.counts } : { weight }
}

function messageTriggers(
  context: Context,
  triggers: SkillRule['triggers'],
  path: JsonPath,
): readonly Found[] {
  if (triggers === undefined) return []
  return KINDS.flatMap((kind) =>
    (triggers[kind.key] ?? []).map((given, at): Found => {
      const [pattern, own] = typeof given === 'string' ? [given] : [given.value, given.weight]
      const place = [...path, kind.key, at, ...(typeof given === 'string' ? [] : ['value'])]
      const { dialect, note } = kind
      return { entry: { pattern, dialect, note, ...counting(context, kind, own) }, path: place }
    }),
  )
}

const PATHS = { counts: 'pathPattern', once: true } as const
const FOLDERS = { counts: 'directoryMatch', once: true } as const

function globs(
  patterns: readonly string[] | undefined,
  path: JsonPath,
  rest: Omit<Entry, 'pattern'>,
): readonly Found[] {
  return (patterns ?? []).map((pattern, at) => ({
    entry: { pattern, dialect: 'glob', ...rest },
    path: [...path, at],
  }))
}

/** [K16] Folders that the file maps to the skill. */
function folders(context: Context, name: string): readonly Found[] {
  const mapped = Object.entries(context.file.directoryMappings ?? {})
  const own = mapped.filter(([, skill]) => skill === name)
  const rest = { dialect: 'glob', note: 'folder', ...counting(context, FOLDERS) } as const
  return own.flatMap(([folder]) =>
    [folder, `${folder}/**`].map((pattern) => ({
      entry: { pattern, ...rest },
      path: ['directoryMappings', folder],
    })),
  )
}

function exclusions(patterns: readonly string[] | undefined, path: JsonPath): readonly Found[] {
  return (patterns ?? []).map((pattern, at) => ({
    entry: { pattern, dialect: 'js', note: 'exclusion', excludes: true },
    path: [...path, at],
  }))
}

/** [K16] File triggers are shown if a message names such a file, but have weight 0. */
const EDITED = {
  note: 'file trigger: fires when such a file is edited, not on a message',
  weight: 0,
}

function triggersOf(context: Context, name: string, rule: SkillRule): readonly Found[] {
  const path: JsonPath = ['skills', name]
  const groups = (['promptTriggers', 'triggers'] as const).map((key) => ({
    own: rule[key],
    at: [...path, key],
  }))
  const named = { note: 'path', ...counting(context, PATHS) }
  return [
    ...groups.flatMap(({ own, at }) => messageTriggers(context, own, at)),
    ...groups.flatMap(({ own, at }) => globs(own?.pathPatterns, [...at, 'pathPatterns'], named)),
    ...folders(context, name),
    ...exclusions(rule.excludePatterns, [...path, 'excludePatterns']),
    ...groups.flatMap(({ own, at }) =>
      exclusions(own?.excludePatterns, [...at, 'excludePatterns']),
    ),
    ...globs(rule.fileTriggers?.pathPatterns, [...path, 'fileTriggers', 'pathPatterns'], EDITED),
  ]
}

/** [K24] [K25] The hook's conditions for an edited file. */
function fileTriggersOf({
  fileTriggers,
  skipConditions,
}: SkillRule): Pick<DomainEntry, 'fileTriggers'> {
  if (fileTriggers === undefined) return {}
  const { pathPatterns, pathExclusions, contentPatterns, createOnly } = fileTriggers
  const { fileMarkers, sessionSkillUsed } = skipConditions ?? {}
  const all = { pathPatterns, pathExclusions, contentPatterns, createOnly }
  return { fileTriggers: { ...all, fileMarkers, sessionSkillUsed } }
}

/** A larger number is better; a skill without any comes last. */
function urgencyOf({ priority }: SkillRule): number {
  if (typeof priority === 'number') return priority
  return priority === undefined ? -Infinity : 4 - SKILL_PRIORITIES.indexOf(priority)
}

/**
 * [K10] [K12] Skills as domains, in the order of the file. If the file does not score, all triggers of a skill form one
 * group that counts 1. Scores are then equal, and the skill with the better priority, then the earlier one, is primary.
 * If it scores, weights add up, and priority decides between equal sums.
 */
export function translateSkills(file: SkillRulesFile): Translated {
  const context: Context = { file, scored: isScored(file) }
  const rules = Object.entries(file.skills)
  const ranks = [...new Set(rules.map(([, rule]) => urgencyOf(rule)))].sort((a, b) => b - a)
  const least = file.config?.minConfidenceScore
  const all = rules.map(([name, rule]) => {
    const found = triggersOf(context, name, rule)
    const minScore = rule.minScore ?? least
    const domain: DomainEntry = {
      name,
      priority: priorityOf(rule, ranks),
      signals: found.map(({ entry }) => entry),
      ...(rule.description === undefined ? {} : { brief_description: rule.description }),
      ...(minScore === undefined ? {} : { minScore }),
      ...fileTriggersOf(rule),
    }
    return { domain, places: { path: ['skills', name], signals: found.map(({ path }) => path) } }
  })
  return {
    file: {
      kind: 'skill-rules',
      ...(file.description === undefined ? {} : { description: file.description }),
      domains: all.map(({ domain }) => domain),
    },
    places: all.map(({ places }) => places),
    contents: rules.flatMap(([skill, { fileTriggers }]) =>
      (fileTriggers?.contentPatterns ?? []).map((pattern, at) => ({
        skill,
        pattern,
        path: ['skills', skill, 'fileTriggers', 'contentPatterns', at],
      })),
    ),
  }
}

/** 1 is the best: critical, high, medium and low are 1 to 4, regardless of which are used. */
function priorityOf(rule: SkillRule, ranks: readonly number[]): number {
  const { priority } = rule
  if (typeof priority === 'string') return SKILL_PRIORITIES.indexOf(priority) + 1
  if (priority === undefined) return Math.max(SKILL_PRIORITIES.length, ranks.length) + 1
  return ranks.indexOf(priority) + 1
}
