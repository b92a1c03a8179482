import type { KnownPattern, Plan } from '../../engine/matcher/python/pattern-cache.ts'

const WIDE_FORMS: ReadonlySet<unknown> = new Set<Plan['wideForm']>([
  ...(['text', 'lower', 'asciiLower', 'skeleton', 'asciiSkeleton'] as const),
])
const ALPHABETS: ReadonlySet<unknown> = new Set<Plan['alphabet']>(['skeleton', 'unicode'])
const FLAGS = ['ignoreCase', 'multiline', 'dotAll', 'verbose', 'ascii'] as const

type Members = Readonly<Record<string, unknown>>
const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null ? (value as Members) : null

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * [C23] Whether a value is what is known of a pattern. The program wrote it, but a thread that reads transcripts may
 * have asked for that. By hand, because a start reads hundreds of them: a schema takes longer than all else here.
 */
export function isKnownPattern(value: unknown): value is KnownPattern {
  const known = membersOf(value)
  const [flags, plan] = [membersOf(known?.['flags']), membersOf(known?.['plan'])]
  if (known === null || flags === null || plan === null) return false
  const { literals } = known
  return (
    FLAGS.every((flag) => typeof flags[flag] === 'boolean') &&
    typeof plan['folded'] === 'boolean' &&
    ALPHABETS.has(plan['alphabet']) &&
    WIDE_FORMS.has(plan['wideForm']) &&
    (literals === undefined || literals === null || areTexts(literals)) &&
    isTextOrNull(known['ascii']) &&
    isTextOrNull(known['wide'])
  )
}
