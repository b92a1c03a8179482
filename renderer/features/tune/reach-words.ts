import type { Reach } from '../../../core/engine/schema/reach.ts'
import type { RULE_CODES } from '../../../core/engine/schema/replay.ts'

/** [U184] Groups of the table next to the editor, in the order of the list. Signals have a separate table. */
export const REACH_GROUPS = [
  ['domain', 'Domains', 'A message that is classified as the domain by itself'],
  ['tie-break', 'Tie-breaks', 'A message on which two domains have the same score'],
  ['gate', 'Gates', 'A message whose enrichment the model profile holds back'],
  ['rule', 'Rules of momentum', 'A session whose last message the rule decides'],
] as const satisfies ReadonlyArray<readonly [Reach['kind'], string, string]>

const RULES: Readonly<Record<(typeof RULE_CODES)[number], string>> = {
  M1: 'the same signature again',
  M2: 'weak momentum accepts another one',
  M3: 'strong momentum holds the compound',
  M4: 'a domain from outside breaks strong momentum',
  B1: 'a domain from outside is too weak to break',
  B2: 'the default domain does not break',
  B4: 'a strong single domain becomes a compound',
  B14: 'the primary in force stays',
  L2: 'resisted too often: the challenger is accepted',
  L3: 'momentum decayed without a signal',
  L4: 'the challenger wins the tie',
}

const TIES: Readonly<Record<string, string>> = {
  priority: 'priority decides',
  order: 'the order of the file decides',
}

const isRule = (name: string): name is keyof typeof RULES => name in RULES

/** Description after the name; empty for domains and gates, whose name is enough. */
export function aboutReach({ kind, name }: Pick<Reach, 'kind' | 'name'>): string {
  if (kind === 'rule') return isRule(name) ? RULES[name] : ''
  return kind === 'tie-break' ? (TIES[name] ?? '') : ''
}

/** [K22] [K23] Why there is no witness, as a sentence. */
export function reachSentence({ status, why, off }: Reach): string {
  if (status === 'never' && off) return `Switched off or not needed here: ${why}.`
  return status === 'never' ? `No message reaches it: ${why}.` : `Not decided: ${why}.`
}

/** Number of entries in a list that are out of reach by mistake, and number of undecided ones. */
export function reachCounts(all: readonly Reach[]) {
  const never = all.filter(({ status, off }) => status === 'never' && !off).length
  return { never, undecided: all.filter(({ status }) => status === 'undecided').length }
}
