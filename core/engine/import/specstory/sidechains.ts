import type { SessionDraft } from '../shared/drafts.ts'

/** Sub-agents of a session by what their blocks say: the file has no ids for them. */
export interface Sidechains {
  readonly count: () => number
  readonly begin: (session: SessionDraft, model: string | null) => void
  /** The sub-agent that a block of this model belongs to; null when none has begun. */
  readonly of: (model: string | null) => SessionDraft | null
}

interface Sidechain {
  readonly session: SessionDraft
  /** Null until it has answered. */
  model: string | null
}

/**
 * [I111] Other blocks between those of a sub-agent do not end it. A block belongs to the one that began or
 * spoke last among those of its model and those that have not answered yet; a block without a model, or of
 * one that no sub-agent has, to the one that began or spoke last.
 */
export function createSidechains(): Sidechains {
  /** The one that spoke last is the last. */
  const all: Sidechain[] = []
  return {
    count: () => all.length,
    begin(session, model) {
      all.push({ session, model })
    },
    of(model) {
      const found =
        all.findLast((one) => model === null || one.model === null || one.model === model) ??
        all.at(-1)
      if (found === undefined) return null
      found.model ??= model
      all.push(...all.splice(all.indexOf(found), 1))
      return found.session
    },
  }
}
