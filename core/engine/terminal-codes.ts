/**
 * [B25] The codes with which programs colour their output and move the cursor (ECMA-48): CSI with SGR, OSC and the other
 * control strings, single escapes, their 8-bit C1 forms, and CSI that a program wrote out as `\x1b[31m`.
 */

/** A stretch of a text that is left out, and the text that replaces it. Places are UTF-16 units, end exclusive. */
export interface Cut {
  readonly from: number
  readonly to: number
  readonly gap: string
}

/** Bounds of one sequence: a code is short, and its end is searched only this far. */
const CSI_BODY = String.raw`[0-?]{0,64}[ -\/]{0,4}[@-~]?`
/** A control string ends with BEL or ST. One without an end loses only its introducer. */
const STRING_BODY = String.raw`[^\0-\x1f\x7f-\x9f]{0,8192}(?:\x07|\x1b\\|\x9c)`
/** `\x1b`, `\u001b`, `\033` and `\e` as JSON and source code write the escape character. */
const WRITTEN = String.raw`\\(?:u001b|x1b|033|e)\[[0-9;:?]{0,64}[@-~]?`

const SEQUENCE = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)${CSI_BODY}`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])${STRING_BODY}`,
    String.raw`\x1b[ -\/]{0,2}[0-~]?`,
    WRITTEN,
    // One-character forms of the 8-bit set: line and tab controls, and the ends and beginnings of strings.
    String.raw`[\x84-\x88\x8d-\x90\x98\x9c-\x9f]`,
  ].join('|'),
  'giu',
)

/** Every text with a code holds one of these, in any case of its letters. */
export const CODE_MARKS: readonly string[] = [
  '\u001b',
  ...[0x84, 0x85, 0x86, 0x87, 0x88, 0x8d, 0x8e, 0x8f, 0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f].map(
    (code) => String.fromCharCode(code),
  ),
  'u001b[',
  'x1b[',
  '033[',
  String.raw`\e[`,
]

/* oxlint-disable no-control-regex -- control characters are what is looked for */
/** A search without alternatives, which most texts end. */
const RARE = /[\x1b\x84-\x9f\\]/
const ANY = /[\x1b\x84-\x88\x8d-\x90\x98\x9b-\x9f]|\\(?:u001b|x1b|033|e)\[/iu

/** CSI that puts the cursor elsewhere, and line and tab controls: what follows is another word. */
const MOVES = /^(?:(?:\x1b\[|\x9b|\\\w+\[).*[A-IZadefjk`]|\x1b[DEHM]|[\x84\x85\x88\x8d])$/u
/** A colour is a colour behind any letter. */
const EIGHT_BIT_COLOUR = /^\x9b\d[\d;:]*m$/u

/* oxlint-enable no-control-regex */

const isC1 = (code: number): boolean => code >= 0x80 && code <= 0x9f

/**
 * [B25] The codes of a text, in order. A code that moves the cursor between two words becomes a blank; any other leaves
 * nothing. Linear in the text.
 *
 * UTF-8 that was read as Latin-1 has C1 characters too (`â\x80\x9d`). Behind a character of U+0080 to U+00FF they
 * introduce nothing, except a colour.
 */
export function terminalCodes(text: string): readonly Cut[] {
  if (!RARE.test(text) || !ANY.test(text)) return []
  const cuts: Cut[] = []
  let end = 0
  for (const { 0: code, index } of text.matchAll(SEQUENCE)) {
    const before = index === end && end > 0 ? 0 : text.charCodeAt(index - 1)
    if (
      isC1(code.charCodeAt(0)) &&
      before >= 0x80 &&
      before <= 0xff &&
      !EIGHT_BIT_COLOUR.test(code)
    )
      continue
    end = index + code.length
    const isGap =
      MOVES.test(code) && /\S/u.test(text.charAt(index - 1)) && /\S/u.test(text.charAt(end))
    cuts.push({ from: index, to: end, gap: isGap ? ' ' : '' })
  }
  return cuts
}

/** [B25] The text as a reader sees it: without codes. */
export function withoutCodes(text: string): string {
  const cuts = terminalCodes(text)
  if (cuts.length === 0) return text
  let kept = ''
  let from = 0
  for (const cut of cuts) {
    kept += text.slice(from, cut.from) + cut.gap
    from = cut.to
  }
  return kept + text.slice(from)
}
