import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CODE_MARKS, terminalCodes, withoutCodes } from './terminal-codes.ts'

const ESC = '\u001b'

describe('[B25] codes of the terminal', () => {
  it.each([
    ['colours', `${ESC}[1m${ESC}[38;5;196mError${ESC}[39m: no`, 'Error: no'],
    ['colours with colons', `${ESC}[38:2::255:0:0mError${ESC}[m`, 'Error'],
    ['erasing and modes', `${ESC}[?25l${ESC}[2KError${ESC}[0K${ESC}[?25h`, 'Error'],
    ['a title, ended by BEL', `${ESC}]0;npm test\u0007Error`, 'Error'],
    ['a link', `${ESC}]8;;https://a.b/c${ESC}\\Error${ESC}]8;;${ESC}\\`, 'Error'],
    ['device strings', `${ESC}P1$r0m${ESC}\\Error${ESC}_x${ESC}\\${ESC}^y${ESC}\\`, 'Error'],
    ['single escapes', `${ESC}7${ESC}(BError${ESC}=${ESC}c`, 'Error'],
    ['8-bit colours', '\u009b31mError\u009b0m', 'Error'],
    ['8-bit strings', '\u009d0;title\u009cError\u0090q\u009c', 'Error'],
    ['8-bit colours behind a letter with an accent', 'é\u009b31mError\u009b39m', 'éError'],
    [
      'codes that a program wrote out',
      String.raw`\u001b[31mError\x1b[0m \033[1mno\e[m`,
      'Error no',
    ],
    ['a code that is cut off', `Error ${ESC}[38;5`, 'Error '],
    ['an escape alone', `Error${ESC}`, 'Error'],
    ['a string without an end loses its introducer', `${ESC}]0;title\nError`, '0;title\nError'],
  ])('removes %s', (_, text, plain) => expect(withoutCodes(text)).toBe(plain))

  it.each([
    ['behind a word', `git${ESC}[1Cpush`, 'git push'],
    ['behind a blank', `git ${ESC}[1Cpush`, 'git push'],
    ['at the begin of a line', `\n${ESC}[1GError`, '\nError'],
    ['as a line control', `one${ESC}Etwo`, 'one two'],
  ])('a move of the cursor %s keeps words apart', (_, text, plain) =>
    expect(withoutCodes(text)).toBe(plain),
  )

  it.each([
    ['no code', 'Error [31m is a text'],
    ['UTF-8 read as Latin-1', 'â\u0080\u009d Error â\u0080\u009c word Ä\u009bco'],
    ['letters above U+00A0', 'Grüße, naïve — “quoted”'],
  ])('keeps a text with %s', (_, text) => {
    expect(withoutCodes(text)).toBe(text)
  })

  it('every text with a code holds one of the marks', () => {
    const pieces = ['a', ' ', '[', '31m', '\\', 'e', 'x1b', 'U001B', '033', ...CODE_MARKS]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        if (terminalCodes(text).length === 0) return
        const lower = text.toLowerCase()
        expect(CODE_MARKS.some((mark) => lower.includes(mark))).toBe(true)
      }),
    )
  })

  it.each([
    ['escapes without an end', `${ESC}]`.repeat(200_000)],
    ['strings without an end', `${ESC}]${'x'.repeat(2000)}`.repeat(400)],
    ['parameters without an end', `${ESC}[${'1;'.repeat(400_000)}`],
    ['backslashes', '\\'.repeat(800_000)],
    ['introducers of the 8-bit set', '\u009d'.repeat(400_000)],
  ])('reads %s to the end', (_, text) => {
    // A quadratic reader would not end within the time that a test has.
    expect(terminalCodes(text).every(({ from, to }) => from < to)).toBe(true)
  })
})
