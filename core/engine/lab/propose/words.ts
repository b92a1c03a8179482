import type { Proposal, ProposalKind } from '../../schema/proposal.ts'

const KINDS: Readonly<Record<ProposalKind, string>> = {
  phrase: 'phrase',
  pair: 'verb + object',
  start: 'at the start',
  whole: 'the whole text',
  negation: 'negated',
}

/** What a proposed signal looks for, in a word or two. */
export function kindWords(kind: ProposalKind): string {
  return KINDS[kind]
}

type Of = Pick<Proposal, 'kind' | 'words' | 'held' | 'fixes' | 'breaks' | 'folds'>

/** [L93] An id that no signal of the domain has: the kind where it is no phrase, and the words. */
export function proposalId({ kind, words }: Of, taken: ReadonlySet<string>): string {
  const plain = words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/gu, '')
  const stem = kind === 'phrase' ? plain : `${kind}-${plain}`
  let id = stem
  for (let nth = 2; taken.has(id); nth += 1) id = `${stem}-${nth}`
  return id
}

/** [L93] Where an accepted signal comes from, for who reads the file later. */
export function proposalNote({ held, fixes, breaks, folds }: Of): string {
  return `proposed from labels: right ${fixes}, broken ${breaks} of ${held} labelled turns in ${folds} held folds`
}
