import type { ReadCorpus } from './read-corpus.ts'

/** [L91] Sources of the turns of a corpus. Labels are split by source. */
interface Sources {
  /** Source of a turn: the one that its text label names, else its session. */
  readonly of: (turn: number) => string
}

/**
 * [L91] Each file is a source if the corpus has more than one; the sessions of a single file are separate sources. Text
 * labels name their source. A label without one belongs to the file that stores it.
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
