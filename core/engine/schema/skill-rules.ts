import { z } from 'zod'
import { DomainName } from './domain.ts'
import type { Immutable } from './immutable.ts'

/** A plain trigger, or one with its weight if the file scores (K14). */
const Weighted = z.union([
  z.string().min(1),
  z.looseObject({ value: z.string().min(1), weight: z.number().min(0).max(1000).optional() }),
])
const List = z.array(Weighted).optional()
const Texts = z.array(z.string().min(1)).optional()

/** Triggers for a message. Files of the second form have all of them in one place. */
const PromptTriggers = z.looseObject({
  keywords: List,
  keywordPatterns: List,
  intentPatterns: List,
  contextPatterns: List,
  pathPatterns: Texts,
  contentPatterns: List,
  excludePatterns: Texts,
})

/** [K16] Triggers for an edited file. No message is an edit. */
const FileTriggers = z.looseObject({
  pathPatterns: Texts,
  pathExclusions: Texts,
  contentPatterns: Texts,
  createOnly: z.boolean().optional(),
})

export const SKILL_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const

/** [K10] One skill. Unknown keys belong to other tools and stay unchanged. */
export const SkillRule = z.looseObject({
  type: z.string().optional(),
  enforcement: z.string().optional(),
  /** Of the first form a word, of the second a number, the larger the better. */
  priority: z.union([z.enum(SKILL_PRIORITIES), z.number()]).optional(),
  description: z.string().optional(),
  promptTriggers: PromptTriggers.optional(),
  triggers: PromptTriggers.optional(),
  fileTriggers: FileTriggers.optional(),
  excludePatterns: Texts,
  minScore: z.number().min(0).optional(),
  skipConditions: z
    .looseObject({ sessionSkillUsed: z.boolean().optional(), fileMarkers: Texts })
    .optional(),
})
export type SkillRule = Immutable<z.infer<typeof SkillRule>>

/** [K14] Weight of a match by kind; 1 for a kind that is not named. */
const Scoring = z.looseObject({
  keyword: z.number().min(0).optional(),
  keywordPattern: z.number().min(0).optional(),
  intentPattern: z.number().min(0).optional(),
  contextPattern: z.number().min(0).optional(),
  pathPattern: z.number().min(0).optional(),
  directoryMatch: z.number().min(0).optional(),
  contentPattern: z.number().min(0).optional(),
})

/** [K10] `skill-rules.json`, of either published form. */
export const SkillRulesFile = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  description: z.string().optional(),
  config: z.looseObject({ minConfidenceScore: z.number().min(0).optional() }).optional(),
  scoring: Scoring.optional(),
  directoryMappings: z.record(z.string().min(1), z.string()).optional(),
  skills: z.record(DomainName, SkillRule),
})
export type SkillRulesFile = Immutable<z.infer<typeof SkillRulesFile>>
