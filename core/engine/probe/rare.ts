import type { Place } from './names.ts'
import type { Token } from './tokens.ts'
import { isCommonWord, unspacedRuns, withoutPossessive } from './words.ts'

/** Words of one noun chunk at most. */
const LONGEST_CHUNK = 3
/** Characters of an unspaced run that are probed as one phrase. */
const LONGEST_RUN = 24

function isContent(token: Token): boolean {
  return !token.isFunction && /\p{L}/u.test(token.text)
}

function endOf(token: Token): number {
  return token.start + withoutPossessive(token.text).length
}

/** Runs of words that carry meaning, next to one another. */
function contentRuns(tokens: readonly Token[], isFree: (token: Token) => boolean): Token[][] {
  const runs: Token[][] = []
  let open: Token[] = []
  for (const token of tokens) {
    const goesOn = isContent(token) && isFree(token)
    if (!goesOn || !token.followsClosely || /['’]s$/iu.test(open.at(-1)?.text ?? '')) {
      if (open.length > 0) runs.push(open)
      open = []
    }
    if (goesOn) open.push(token)
  }
  if (open.length > 0) runs.push(open)
  return runs
}

/** Pieces of a run, counted from its end: the head of an English noun phrase stands last. */
function pieces(run: readonly Token[]): ReadonlyArray<readonly Token[]> {
  if (run.length <= LONGEST_CHUNK) return [run]
  const cut: Array<readonly Token[]> = []
  for (let end = run.length; end > 0; end -= 2) cut.unshift(run.slice(Math.max(0, end - 2), end))
  return cut
}

/**
 * [D4] Rare words, and noun chunks of two or three words beside one another ("system logs"), of
 * which each may be common. A rare word inside a chunk is not probed once more.
 */
export function findRare(
  tokens: readonly Token[],
  isFree: (place: Place) => boolean,
): { readonly rare: readonly Place[]; readonly chunks: readonly Place[] } {
  const rare: Place[] = []
  const chunks: Place[] = []
  for (const run of contentRuns(tokens, (token) => isFree([token.start, token.end]))) {
    for (const piece of pieces(run)) {
      const [first] = piece
      const last = piece.at(-1)
      if (first === undefined || last === undefined) continue
      const isRare = piece.some((token) => !isCommonWord(token.text))
      if (piece.length > 1) (isRare ? rare : chunks).push([first.start, endOf(last)])
      else if (isRare) rare.push([first.start, endOf(last)])
    }
  }
  return { rare, chunks }
}

/** [L25] Runs of scripts without spaces, cut where they are long. */
export function findUnspaced(text: string): readonly Place[] {
  return unspacedRuns(text).flatMap(([start, end]) => {
    const parts: Place[] = []
    for (let from = start; from < end; from += LONGEST_RUN)
      parts.push([from, Math.min(end, from + LONGEST_RUN)])
    return parts
  })
}
