import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'

/*
 * Session titles, tool names, file names and texts are untrusted. Unescaped in a terminal, they could set its title,
 * fill the clipboard, overwrite other lines or hide content. Only this module writes to a terminal, and it makes such
 * characters visible. [F12]
 */

/* oxlint-disable no-misleading-character-class -- the classes below are about joiners and marks themselves */

/** Joins emoji, and letters of scripts that need it; anywhere else a joiner only hides text. */
const JOINS =
  /(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Mlym}\p{scx=Sinh}])[\u200C\u200D](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Mlym}\p{scx=Sinh}])/u

/**
 * Control characters except tab and line feed, other line terminators, lone surrogates, and invisible characters:
 * direction marks, misplaced joiners, tags, fillers.
 */
const HOSTILE = new RegExp(
  String.raw`[[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]--[\t\n\u200C\u200D\uFE00-\uFE0F]]` +
    String.raw`|(?!${JOINS.source})[\u200C\u200D]` +
    // The form of a character, but only the first behind it: a row of them can carry a hidden text.
    String.raw`|(?<=^|[\s\uFE00-\uFE0F])[\uFE00-\uFE0F]`,
  'gv',
)
/* oxlint-enable no-misleading-character-class */

/** Text for display: characters unsafe for a terminal are written as `\x1b` or `\u{202e}`. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HOSTILE, (character) => {
    const code = character.codePointAt(0) ?? 0
    const digits = code.toString(16)
    return code <= 0xff ? String.raw`\x${digits.padStart(2, '0')}` : String.raw`\u{${digits}}`
  })
}

/** JSON that was written already: the same characters as escapes of JSON, so that it means the same. */
export function plainJson(json: string): string {
  return json.replace(HOSTILE, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index).toString(16)
      return String.raw`\u${unit.padStart(4, '0')}`
    }).join(''),
  )
}

/** A value as one line of JSON that any terminal can show. */
export function jsonLine(value: unknown): string {
  return plainJson(JSON.stringify(value))
}

/** The same characters as references, in text of XML that is escaped already. */
export function plainXml(xml: string): string {
  return xml.replace(HOSTILE, (character) => `&#x${character.codePointAt(0)?.toString(16) ?? ''};`)
}

type Style = Parameters<typeof styleText>[0]
type Stream = 'stdout' | 'stderr'

/** Replaces the escape character of our own colours until text is written. It is random, so no text can contain it. */
const OWN_ESCAPE = `<${randomUUID()}>`

/** Styles text if the terminal shows colours (NO_COLOR and pipes are respected). */
export function styled(style: Style, text: string): string {
  return styleText(style, visible(text), { stream: process.stdout }).replaceAll(
    '\u001B',
    OWN_ESCAPE,
  )
}

/**
 * [F189] Text that opens a URL if the terminal follows links (OSC 8). The visible text is unchanged. A URL with
 * characters other than printable ASCII is ignored, because it could break the escape sequence.
 * @param address null: no link
 */
export function linked(address: string | null, text: string): string {
  if (address === null || !/^[\x21-\x7E]{1,2000}$/u.test(address)) return text
  const mark = (to: string) => `${OWN_ESCAPE}]8;;${to}${OWN_ESCAPE}\\`
  return `${mark(address)}${text}${mark('')}`
}

/** Writes text for people; false while the reader is slower than we are. */
export function writeText(stream: Stream, text: string): boolean {
  return process[stream].write(text.split(OWN_ESCAPE).map(visible).join('\u001B'))
}

/** A notice for people, on stderr: stdout carries results only. */
export function notice(text: string): void {
  writeText('stderr', `turnscope: ${text}\n`)
}

/** Rewrites the last line of stderr, or clears it. Only for terminals. */
export function rewriteLine(text: string): void {
  process.stderr.write(`\r\u001B[K${visible(text).replaceAll('\n', ' ')}`)
}
