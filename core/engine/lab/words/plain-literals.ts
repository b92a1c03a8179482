import { WIDE } from '../../matcher/literals.ts'
import { literalsOf, type CompiledSignal } from '../../matcher/signal.ts'

/** Alternatives, each a list of literals that all stand in a text (C7). */
type Alternatives = ReadonlyArray<readonly string[]>

/** A shorter one is in nearly every text. */
const SHORTEST = 2

/** Runs of ASCII in a text that has to stand in another; `WIDE` where it has other characters too. */
function runsOf(text: string): readonly string[] {
  // In lower case first: the Kelvin sign is a k then.
  const lower = text.toLowerCase()
  const runs = lower.match(/[\0-\x7f]+/g) ?? []
  const isWide = /[^\0-\x7f]/.test(lower)
  return [...runs.filter((run) => run.length >= SHORTEST), ...(isWide ? [WIDE] : [])]
}

/** [K16] What stands between the wildcards of a glob stands in a path, and so in the text that names it. */
function literalsOfGlob(glob: string): readonly string[] {
  return glob.split(/[*?]+\/?/).flatMap((piece) => runsOf(piece).filter((run) => run !== WIDE))
}

/**
 * What a JavaScript pattern without groups, classes, alternatives, counts and escapes but `\b` requires: its runs of
 * characters that no quantifier makes optional. Null for any other pattern.
 */
function literalsOfPlainJs(pattern: string): readonly string[] | null {
  const atoms = pattern.match(/\\b|[^\\()[\]{}|*+?][*+?]?\??/gu) ?? []
  if (atoms.join('') !== pattern) return null
  let joined = ''
  for (const atom of atoms) {
    const [first = '', quantifier = ''] = atom === '\\b' ? ['', ''] : [atom[0], atom[1]]
    const isCharacter = /[\w\- ]/.test(first) && quantifier !== '*' && quantifier !== '?'
    joined += isCharacter ? first : '\n'
    if (quantifier !== '') joined += '\n'
  }
  return joined.split('\n').flatMap(runsOf)
}

function plainLiterals({ dialect, pattern }: CompiledSignal): readonly string[] | null {
  if (dialect === 'keyword') return runsOf(pattern)
  if (dialect === 'glob') return literalsOfGlob(pattern)
  return dialect === 'js' ? literalsOfPlainJs(pattern) : null
}

/**
 * [C7] [L114] Literals without which a signal cannot match, of keywords, globs and the plainest of JavaScript
 * patterns too: all that these require stands in the lower case or the skeleton of a text that they match. Null =
 * nothing is known.
 */
export function requiredOf(signal: CompiledSignal): Alternatives | null {
  const known = literalsOf(signal)
  if (known !== null) return known
  const plain = signal.programs.source === null ? plainLiterals(signal) : null
  return plain === null || plain.length === 0 ? null : [plain]
}
