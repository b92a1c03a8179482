import { WIDE } from '../../matcher/literals.ts'
import { literalsOf, type CompiledSignal } from '../../matcher/signal.ts'

/** Alternatives, each a list of literals that must all occur in a text (C7). */
type Alternatives = ReadonlyArray<readonly string[]>

/** A shorter one is in nearly every text. */
const SHORTEST = 2

/** Runs of ASCII in a text that must occur in another one. Adds `WIDE` if it has other characters too. */
function runsOf(text: string): readonly string[] {
  // In lower case first: the Kelvin sign is a k then.
  const lower = text.toLowerCase()
  const runs = lower.match(/[\0-\x7f]+/g) ?? []
  const isWide = /[^\0-\x7f]/.test(lower)
  return [...runs.filter((run) => run.length >= SHORTEST), ...(isWide ? [WIDE] : [])]
}

/** [K16] The text between the wildcards of a glob occurs in a matching path, and so in the text that names the path. */
function literalsOfGlob(glob: string): readonly string[] {
  return glob.split(/[*?]+\/?/).flatMap((piece) => runsOf(piece).filter((run) => run !== WIDE))
}

/**
 * The required literals of a JavaScript pattern without groups, classes, alternatives, counts and escapes other than
 * `\b`: its runs of characters that no quantifier makes optional. Null for any other pattern.
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
 * [C7] [L114] Literals without which a signal cannot match, including keywords, globs and the simplest JavaScript
 * patterns. All of them occur in the lower case or the skeleton of every text that these match. Null if unknown.
 */
export function requiredOf(signal: CompiledSignal): Alternatives | null {
  const known = literalsOf(signal)
  if (known !== null) return known
  const plain = signal.programs.source === null ? plainLiterals(signal) : null
  return plain === null || plain.length === 0 ? null : [plain]
}
