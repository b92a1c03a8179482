import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { ProfileInfo } from '../../core/wire/contract.ts'
import { joined } from '../ui/format.ts'
import type { Tone } from '../ui/parts.tsx'

/**
 * [L10] The enrichments that a profile gates, as short text for a pill and as a sentence. A profile that gates nothing
 * must not look like one that does. `broken` means that it was meant to gate and does not, or not completely.
 */
export function gateOf(profile: Immutable<ProfileInfo>) {
  const { gate, problem } = profile
  const say = (tone: Tone, pill: string, sentence: string, broken = gate.unknown.length > 0) => {
    return { tone, pill, sentence, broken }
  }
  if (problem !== null) return say('bad', 'unreadable', problem, true)
  const said = [unknownNames(gate.unknown), mappedNames(gate.mapped), ...otherWarnings(gate)]
  const all = (first: string) => joined([first, ...said], ' ')
  // A name that no domain has disables nothing, even if the list contains it.
  const disabled = gate.disabled.filter((name) => !gate.unknown.includes(name))
  const isBroken = gate.unknown.length > 0
  if (disabled.length > 0) {
    const sentence = all(`No enrichment for ${disabled.join(', ')}.`)
    return say(isBroken ? 'warn' : 'good', `gates ${disabled.length}`, sentence)
  }
  return isBroken
    ? say('bad', 'gates nothing!', all('Its list switches no domain off.'))
    : say('plain', 'gates nothing', all('It lists no disabled domains.'))
}

type Report = Immutable<ProfileInfo>['gate']

function unknownNames(names: Report['unknown']): string {
  if (names.length === 0) return ''
  return `No loaded domain is called ${names.join(', ')}.`
}

function mappedNames(mapped: Report['mapped']): string {
  return mapped.map(({ from, to }) => `${from} counts as ${to}.`).join(' ')
}

/** Warnings that are not already covered here. */
function otherWarnings({ warnings, unknown }: Report): readonly string[] {
  return warnings.filter(
    (warning) =>
      !warning.startsWith('nothing is gated') && !unknown.some((name) => warning.includes(name)),
  )
}
