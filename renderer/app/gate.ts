import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { ProfileInfo } from '../../core/wire/contract.ts'
import type { Tone } from '../ui/parts.tsx'

export interface Gate {
  readonly tone: Tone
  /** Few words for a pill. */
  readonly pill: string
  /** One sentence. */
  readonly sentence: string
  /** True when the profile was meant to gate and does not, or not all of it. */
  readonly broken: boolean
}

/** [L10] What a profile gates, in words: a gate that gates nothing must not look like one that does. */
export function gateOf(profile: Immutable<ProfileInfo>): Gate {
  const { gate, problem } = profile
  if (problem !== null) return { tone: 'bad', pill: 'unreadable', sentence: problem, broken: true }
  const said = [unknownNames(gate.unknown), mappedNames(gate.mapped), ...otherWarnings(gate)]
  const more = said.filter((part) => part !== '').map((part) => ` ${part}`)
  const broken = gate.unknown.length > 0
  // A name that no domain has switches nothing off, whatever the list says.
  const disabled = gate.disabled.filter((name) => !gate.unknown.includes(name))
  if (disabled.length > 0)
    return {
      tone: broken ? 'warn' : 'good',
      pill: `gates ${disabled.length}`,
      sentence: `No enrichment for ${disabled.join(', ')}.${more.join('')}`,
      broken,
    }
  return broken
    ? {
        tone: 'bad',
        pill: 'gates nothing!',
        sentence: `Its list switches no domain off.${more.join('')}`,
        broken,
      }
    : {
        tone: 'plain',
        pill: 'gates nothing',
        sentence: `It lists no disabled domains.${more.join('')}`,
        broken,
      }
}

type Report = Immutable<ProfileInfo>['gate']

function unknownNames(names: Report['unknown']): string {
  if (names.length === 0) return ''
  return `No loaded domain is called ${names.join(', ')}.`
}

function mappedNames(mapped: Report['mapped']): string {
  return mapped.map(({ from, to }) => `${from} counts as ${to}.`).join(' ')
}

/** Warnings that say something else than what is said here already. */
function otherWarnings({ warnings, unknown }: Report): readonly string[] {
  return warnings.filter(
    (warning) =>
      !warning.startsWith('nothing is gated') && !unknown.some((name) => warning.includes(name)),
  )
}
