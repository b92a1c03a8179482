import { type Problem, type Result, err } from '../../../engine/result.ts'
import type { StoreProblem } from '../ports.ts'

/** A damaged store; it is rebuilt from its documents. */
export function damaged(collection: string, what: string): StoreProblem {
  return {
    kind: 'damaged',
    what,
    where: `store of ${collection}`,
    do: `Index ${collection} again: it is rebuilt from its documents`,
  }
}

/** Whether an answer of an open store means that it has to be rebuilt. */
export function isDamaged(problem: Problem): problem is StoreProblem {
  return 'kind' in problem && problem.kind === 'damaged'
}

/** [D32] Vectors of another embedder or of another length are never mixed. */
export function otherEmbedder(
  collection: string,
  has: { readonly embedder: string; readonly dimensions: number },
  given: { readonly embedder: string; readonly dimensions: number },
): StoreProblem {
  const names = (one: typeof has) => `${one.embedder} (${one.dimensions} dimensions)`
  return {
    kind: 'refused',
    what: `its vectors were made with ${names(has)}, these with ${names(given)}`,
    where: `store of ${collection}`,
    do: `Index ${collection} again with the embedder in use, or choose ${has.embedder}`,
  }
}

/** A vector that cannot be stored or queried. */
export function badVector(collection: string, what: string): StoreProblem {
  return {
    kind: 'refused',
    what,
    where: `store of ${collection}`,
    do: 'Check the embedder: it has to give finite vectors of one length',
  }
}

/** The search was ended before it was done. */
export function stopped(collection: string): Result<never> {
  return err({
    what: 'the search was cancelled',
    where: `store of ${collection}`,
    do: 'Ask again',
  })
}

/**
 * [D61] Data that this workspace did not write: it may be anybody's, so it is neither changed nor deleted.
 * @param name of the table or of the collection on the server
 */
export function foreign(collection: string, name: string): StoreProblem {
  return {
    kind: 'refused',
    what: `"${name}" is there already and was not indexed from this workspace`,
    where: `store of ${collection}`,
    do: `Choose another name for the store of ${collection}, or delete "${name}" yourself if it is not needed`,
  }
}

/** [D73] An index that the workspace declares as existing: it is only searched. */
export function readOnly(collection: string): StoreProblem {
  return {
    kind: 'refused',
    what: 'it was declared as an index that is there already, which is searched and never written',
    where: `store of ${collection}`,
    do: 'Index with the program that made it; or take "existing" out and choose another name',
  }
}

/** [D73] The declaration of an existing index differs from its content. */
export function notAsDeclared(collection: string, what: string): StoreProblem {
  const way = 'Correct its entry under "existing" in profiles/collections.yaml'
  return { kind: 'refused', what, where: `store of ${collection}`, do: way }
}

/** A server or folder that does not answer as it should. `what` must hold no secret. */
export function unreachable(collection: string, what: string, way: string): StoreProblem {
  return { kind: 'unreachable', what, where: `store of ${collection}`, do: way }
}

/** An environment variable that the entry names is not set. */
export function setting(collection: string, name: string, meaning: string): StoreProblem {
  return {
    kind: 'refused',
    what: `the environment variable ${name} is not set`,
    where: `store of ${collection}`,
    do: `Set ${name} to ${meaning}, then start again`,
  }
}
