import type { DomainSet } from '../matcher/domains.ts'
import type { BeliefOptions, Preset } from '../schema/preset.ts'
import { NEVER_STRONG } from '../schema/never-strong.ts'

/** [K12] Classification of a message on which no skill fires. */
export const NO_SKILL = '(no skill)'

/**
 * [K13] The published hooks read one message and are stateless. Regardless of the preset, momentum holds nothing, texts
 * are not cut, no further thresholds apply, and user messages are the turns.
 */
const ALONE: Partial<BeliefOptions> = {
  momentumThreshold: NEVER_STRONG,
  secondaryMinSignals: 0,
  defaultDomain: NO_SKILL,
  breakMinSignals: {},
  widenMinSignals: null,
  defaultDomainYields: true,
  stickyPrimary: false,
  maxResistedTurns: null,
  decayAfterTurns: null,
  challengerWinsTies: false,
  minSignals: {},
  antiSignals: [],
  maxChars: null,
  stripThinking: false,
  classify: { user: true, agent: false, tool: false },
  abstainMargin: null,
}

/** The preset that is in force for a set of domains: for skills (K13) some of its options are fixed. */
export function presetFor({ kind }: Pick<DomainSet, 'kind'>, preset: Preset): Preset {
  return kind === 'skill-rules' ? { ...preset, belief: { ...preset.belief, ...ALONE } } : preset
}
