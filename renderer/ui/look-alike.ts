/** Scripts with letters that look alike. */
const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
] as const
type Script = (typeof SCRIPTS)[number][0]

/** Greek letters that people put into Latin names, and that look like no Latin one. */
const SIGNS = /[ΓΔΘΛΞΠΣΦΨΩβδεζθλμπσφψωϵϕ]/u
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const BESIDE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u

/**
 * [U20] Adds a code such as а⟨U+0430⟩ after each letter whose script differs from that of most letters of its word. It
 * exposes `pаypal` with a Cyrillic а. Words of one script and mathematical signs are not changed.
 */
export function markLookAlikes(text: string): string {
  return BESIDE_LATIN.test(text) ? text.replace(WORD, markWord) : text
}

function markWord(word: string): string {
  const letters = Array.from(word, (letter) => ({ letter, script: scriptOf(letter) }))
  const counts = new Map<Script, number>()
  for (const { script } of letters) if (script) counts.set(script, (counts.get(script) ?? 0) + 1)
  if (counts.size < 2) return word
  // Of as many letters, Latin is the script that the others imitate: it comes first in the table.
  const most = Math.max(...counts.values())
  const base = SCRIPTS.find(([name]) => counts.get(name) === most)?.[0]
  return letters
    .map(({ letter, script }) => (script && script !== base ? letter + codeOf(letter) : letter))
    .join('')
}

function scriptOf(letter: string): Script | null {
  if (SIGNS.test(letter)) return null
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? null
}

function codeOf(letter: string): string {
  return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
