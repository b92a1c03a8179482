import type { ReadCorpus } from './read-corpus.ts'

/** [L91] Where the turns of a corpus come from: what labels are split by. */
interface Sources {
  /** Source of a turn: what a text label names, else its session. */
  readonly of: (turn: number) => string
}

/**
 * [L91] A source is the file, as long as there is more than one; sessions of one file are sources of their
 * own. Text labels name theirs; one that does not is of the file that it stands in.
 */
export function createSources({
  corpus,
  origins,
}: Pick<ReadCorpus, 'corpus' | 'origins'>): Sources {
  const files = new Set(origins.filter(({ file }) => file >= 0).map(({ file }) => file))
  const names = origins.map(({ file, path, id, source }) => {
    if (source !== null) return source
    return file < 0 || files.size > 1 ? (path ?? id) : id
  })
  return { of: (turn) => names[corpus.sessionOf(turn)] ?? '' }
}
