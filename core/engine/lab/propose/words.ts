import type { Proposal, ProposalKind } from '../../schema/proposal.ts'

const KINDS: Readonly<Record<ProposalKind, string>> = {
  phrase: 'phrase',
  pair: 'verb + object',
  start: 'at the start',
  whole: 'the whole text',
  negation: 'negated',
}

/** The target of a proposed signal, in one or two words. */
export function kindWords(kind: ProposalKind): string {
  return KINDS[kind]
}

type Of = Pick<Proposal, 'kind' | 'words' | 'held' | 'fixes' | 'breaks' | 'folds'>

/** [L93] An id that no signal of the domain has: the kind, unless it is a phrase, and the words. */
export function proposalId({ kind, words }: Of, taken: ReadonlySet<string>): string {
  const plain = words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/gu, '')
  const stem = kind === 'phrase' ? plain : `${kind}-${plain}`
  let id = stem
  for (let nth = 2; taken.has(id); nth += 1) id = `${stem}-${nth}`
  return id
}

/** [L93] The origin of an accepted signal, for later readers of the file. */
export function proposalNote({ held, fixes, breaks, folds }: Of): string {
  return `proposed from labels: right ${fixes}, broken ${breaks} of ${held} labelled turns in ${folds} held folds`
}
