import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/**
 * Interpretation of a pattern. `python`, `js`: a regular expression (C5). `keyword`: occurs in the text's lower case
 * (K11). `glob`: a path that the text names (K16).
 */
export const Dialect = z.enum(['python', 'js', 'keyword', 'glob'])
export type Dialect = z.infer<typeof Dialect>

/** One pattern of a domain. A bare string is a pattern in Python dialect. */
export const SignalEntry = z.union([
  z.string().min(1),
  z.strictObject({
    id: z.string().min(1).optional(),
    pattern: z.string().min(1),
    dialect: Dialect.optional(),
    flags: z.string().optional(),
    note: z.string().optional(),
    /** [K14] Weight of a match; 1 if absent. With 0 the match is shown but decides nothing. */
    weight: z.number().min(0).max(1000).optional(),
    /** [K14] Of the signals of one group in a domain only the weightiest that matched counts. */
    group: z.string().min(1).optional(),
    /** [K15] A match takes the domain out of the turn. */
    excludes: z.boolean().optional(),
  }),
])
export type SignalEntry = Immutable<z.infer<typeof SignalEntry>>

/** [B13] "+" joins the names of a signature, so no name may contain it. */
export const DomainName = z
  .string()
  .min(1)
  .regex(/^[^+\s][^+]*$/u, 'a domain name may not be blank or contain "+"')

/** [K24] Edits of files on which a skill fires; a content pattern is a JavaScript one. */
export const FileTriggers = z.strictObject({
  pathPatterns: z.array(z.string().min(1)).optional(),
  pathExclusions: z.array(z.string().min(1)).optional(),
  contentPatterns: z.array(z.string().min(1)).optional(),
  createOnly: z.boolean().optional(),
  /** [K25] The trigger does not fire if the new text contains one of these, or if the skill was already opened. */
  fileMarkers: z.array(z.string().min(1)).optional(),
  sessionSkillUsed: z.boolean().optional(),
})
export type FileTriggers = Immutable<z.infer<typeof FileTriggers>>

export const DomainEntry = z.strictObject({
  name: DomainName,
  priority: z.int().optional(),
  signals: z.array(SignalEntry),
  brief_description: z.string().optional(),
  enrichment_template: z.string().optional(),
  /** [B1] least matched signals to break a strong momentum; null = never. Overrides the preset's map. */
  breakMinSignals: z.int().min(0).nullable().optional(),
  /** [L5] least matched signals to be primary at all. Overrides the preset's map. */
  minSignals: z.int().min(1).optional(),
  /** [K15] Least sum of weights to take part at all. */
  minScore: z.number().min(0).optional(),
  aliases: z.array(z.string()).optional(),
  fileTriggers: FileTriggers.optional(),
})
export type DomainEntry = Immutable<z.infer<typeof DomainEntry>>

/** A domain file, YAML or JSON (`profiles/domains/*.yaml`). Order is configuration order. */
export const DomainFile = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    /** [K12] `skill-rules`: domains are skills, and every message is classified alone. Absent: domains. */
    kind: z.literal('skill-rules').optional(),
    /** [L101] Sources of labels that signals were written or chosen on: figures on them are marked. */
    madeFrom: z.array(z.string().max(400)).max(5000).optional(),
    domains: z.array(DomainEntry),
  })
  .superRefine((file, context) => {
    const seen = new Set<string>()
    for (const [index, domain] of file.domains.entries()) {
      if (seen.has(domain.name))
        context.addIssue({
          code: 'custom',
          path: ['domains', index, 'name'],
          message: `domain "${domain.name}" is defined twice`,
        })
      seen.add(domain.name)
    }
  })
export type DomainFile = Immutable<z.infer<typeof DomainFile>>
