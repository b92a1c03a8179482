import common from './common-words.json' with { type: 'json' }

/** Words that carry grammar only: they never begin, end or make up a phrase. */
const FUNCTION_WORDS = new Set(
  `a about above after again against ago all almost also although always am among an and another any
  anyone anything are aren't around as at away back be became because been before being below between
  both but by came can can't cannot come could couldn't did didn't do does doesn't doing don't done down
  during each either else even ever every everyone everything few for from further get gets getting go
  goes going gone got had hadn't has hasn't have haven't having he he's hello her here here's hers hi him
  his how how's however i i'd i'll i'm i've if in instead into is isn't it it'd it'll it's its itself just
  last least less let let's like made make makes many maybe me might mine more most much must my myself
  need needs neither never no nobody none nor not nothing now of off ok okay on once one only onto or
  other others our ours out over own per perhaps please quite rather really said same say says shall she
  she's should shouldn't since so some someone something still such sure tell than thank thanks that
  that's the their theirs them then there there's these they they'd they'll they're they've thing things
  this those though through to together too toward towards under until up upon us use used using very via
  want wanted wants was wasn't way we we'd we'll we're we've well went were weren't what what's whatever
  when where where's whether which while who who's whole whom whose why will with within without won't
  would wouldn't yes yet you you'd you'll you're you've your yours yourself`
    .split(/\s+/u)
    .filter((word) => word !== ''),
)

const COMMON = new Set(common.words.split(' '))

/** Normalises Unicode composition and apostrophes for cache keys, look-ups and embedded text. */
export function plainForm(text: string): string {
  return text.normalize('NFC').replaceAll(/[‘’ʼ＇]/gu, "'")
}

/** The key of a phrase: two ways of writing it are one phrase. */
export function phraseKey(text: string): string {
  return plainForm(text).toLowerCase().replaceAll(/\s+/gu, ' ').trim()
}

/** Grammar only (`the`, `after`, `what's`). */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(plainForm(word).toLowerCase())
}

/** [D4] Common English: function words, and SCOWL's smallest list. A possessive is looked up without its ending. */
export function isCommonWord(word: string): boolean {
  const key = withoutPossessive(plainForm(word).toLowerCase())
  return FUNCTION_WORDS.has(key) || COMMON.has(key) || COMMON.has(key.replaceAll("'", ''))
}

/** "Rupert's" → "Rupert"; "guards'" → "guards". */
export function withoutPossessive(word: string): string {
  return word.replace(/(?:['’]s|(?<=s)['’])$/iu, '')
}

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Runs of unspaced script, as `[start, end)` in UTF-16 units. */
export function unspacedRuns(text: string): ReadonlyArray<readonly [number, number]> {
  return Array.from(
    text.matchAll(UNSPACED),
    (run) => [run.index, run.index + run[0].length] as const,
  )
}

/**
 * [D2] Words of a message. A run of unspaced script counts one word per two characters, the usual word length in such
 * scripts.
 */
export function countWords(text: string): number {
  const spaced = text.replaceAll(UNSPACED, ' ').match(/[\p{L}\p{N}]+(?:[’'._/-][\p{L}\p{N}]+)*/gu)
  const unspaced = unspacedRuns(text).reduce(
    (sum, [start, end]) => sum + Math.ceil((end - start) / 2),
    0,
  )
  return (spaced?.length ?? 0) + unspaced
}
