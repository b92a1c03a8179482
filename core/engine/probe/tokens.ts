import { isFunctionWord } from './words.ts'

/** A word of a message with the features that extraction needs. Spans are `[start, end)` in UTF-16 units. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Begins with a capital letter. */
  readonly isCapital: boolean
  /** Two capitals or more and no small letter. */
  readonly isAcronym: boolean
  readonly isFunction: boolean
  /** First of a sentence, a line or a list item: a capital there says nothing. */
  readonly startsSentence: boolean
  /** Only blanks on the same line separate this word from the previous one. */
  readonly followsClosely: boolean
}

/** [D64] "R.S.S." and "D&D" are words too: initials, each with its full stop, and capitals joined by "&". */
const WORD =
  /(?<![\p{L}\p{N}])(?:\p{Lu}\.){2,8}|[\p{L}\p{M}\p{N}]+(?:(?:['’-]|(?<=\p{Lu})&(?=\p{Lu}))[\p{L}\p{M}\p{N}]+)*['’]?/gu
const SENTENCE_END = /(?:^|[.!?:;\n\r•*#>|]|\s[-–—])[\s"'“”‘’«»„([{*_-]*$/u
/**
 * Maximum distance at which the end of a sentence is searched backwards, in UTF-16 units. Few marks and blanks separate
 * sentences.
 */
const LOOK_BACK = 12

/** "DELETE IT NOW": where most words are shouted, capitals say nothing. */
function isShouted(words: readonly string[]): boolean {
  const long = words.filter((word) => word.length > 1)
  const loud = long.filter((word) => /^\p{Lu}+$/u.test(word)).length
  return long.length > 3 && loud * 2 > long.length
}

/** Words of a text, without those inside `covered` places. A closing apostrophe belongs to a word only after "s". */
export function tokensOf(text: string): readonly Token[] {
  const matches = [...text.matchAll(WORD)]
  const shouted = isShouted(matches.map((match) => match[0]))
  let before = 0
  return matches.map((match) => {
    const word =
      /['’]$/u.test(match[0]) && !/s['’]$/iu.test(match[0]) ? match[0].slice(0, -1) : match[0]
    const start = match.index
    const end = start + word.length
    const gap = text.slice(before, start)
    const lead = text.slice(Math.max(0, start - LOOK_BACK), start)
    const token = {
      text: word,
      start,
      end,
      isCapital: !shouted && /^\p{Lu}/u.test(word),
      isAcronym: !shouted && /^\p{Lu}[.&]?[\p{Lu}\p{N}.&]+(?:['’]s)?$/u.test(word),
      isFunction: isFunctionWord(word),
      startsSentence: start === 0 || SENTENCE_END.test(lead),
      followsClosely: before > 0 && /^[^\S\n\r]+$/u.test(gap),
    }
    before = end
    return token
  })
}
