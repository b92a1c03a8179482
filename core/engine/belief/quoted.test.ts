import { describe, expect, it } from 'vitest'
import { quotedIn } from './quoted.ts'
import { originalSpans, scoredText } from './text.ts'

const ALL = { quotation: true, fence: true, log: true }
const OPTIONS = { maxChars: null, stripThinking: true, stripCodes: true, stripQuoted: ALL }

/** The scored text, with blank lines as one. */
const ownOf = (text: string): string =>
  scoredText(text, OPTIONS)
    .text.replaceAll(/\n{2,}/gu, '\n')
    .trim()

describe('[B26] quoted, fenced and pasted text', () => {
  it.each([
    ['a quotation', '> debug the crash\n\nthanks, that worked', 'thanks, that worked'],
    ['a quotation of several lines', 'before\n> a\n>> b\n>\n> c\nafter', 'before\nafter'],
    ['a fence', 'look at\n```py\nraise Error\n```\nplease', 'look at\nplease'],
    ['a fence of tildes with backticks in it', 'a\n~~~\n```\nx\n~~~\nb', 'a\nb'],
    ['a longer fence with a shorter one in it', 'a\n````\n```\nx\n```\n````\nb', 'a\nb'],
    ['a fence that is cut off', 'a\n```\nx\ny', 'a'],
    [
      'a pasted log',
      'Rename the title.\n\nThe CI says:\nError: no module\nTraceback (most recent call last):\nFAILED tests/test_a.py\nException: boom',
      'Rename the title.\nThe CI says:\nError: no module',
    ],
    [
      'a stack trace with its source lines',
      'what now?\nTraceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\n  File "a.py", line 9, in g\n    raise E\nValueError: bad\nthanks',
      'what now?\nTraceback (most recent call last):\nthanks',
    ],
    [
      'frames of JavaScript',
      'see\nTypeError: x is not a function\n    at run (/a/b.js:3:5)\n    at async main (/a/c.js:4:1)',
      'see\nTypeError: x is not a function',
    ],
    [
      'a log with dates',
      'why slow?\n2026-09-01 09:00:00 start\n2026-09-01 09:00:01 stop\n[09:00:02] end',
      'why slow?\n2026-09-01 09:00:00 start',
    ],
    ['a coloured quotation', '\u001b[2m> debug it\u001b[0m\nthanks', 'thanks'],
  ])('%s is not scored, but for the first line of a log', (_, text, own) =>
    expect(ownOf(text)).toBe(own),
  )

  it.each([
    ['nothing but a quotation', '> debug the crash'],
    ['nothing but a fence', '```\nError\n```'],
    ['nothing but a log', 'Error: a\nError: b\nError: c\n'],
    ['two lines of a log', 'I see\nError: a\nError: b'],
    ['a comparison', 'if a > b and\nb -> c'],
    ['code within a line', 'run ```make``` and `x`'],
    ['a list', 'fix these:\n- the error\n- the test\n- the docs'],
  ])('%s is scored whole', (_, text) => expect(quotedIn(text, ALL)).toEqual([]))

  it('says where and why, in places of the original text', () => {
    const text = '\u001b[1m> a\u001b[0m\nb\n```\nc\n```'
    const scored = scoredText(text, OPTIONS)
    expect(scored.quoted.map(({ from, to, why }) => [text.slice(from, to), why])).toEqual([
      ['> a', 'quotation'],
      ['```\nc\n```', 'fence'],
    ])
    const at = scored.text.indexOf('b')
    expect(originalSpans(scored, at, at + 1)).toEqual([[text.indexOf('b'), text.indexOf('b') + 1]])
  })

  it.each([
    ['quotation', 'b\n```\n> c\n```\nError: a\nError: b\nError: c'],
    ['fence', '> a\nb\nError: a\nError: b\nError: c'],
    ['log', '> a\nb\n```\n> c\n```\nError: a'],
  ])('leaves out only what is wanted: %s', (why, text) => {
    const only = { quotation: false, fence: false, log: false, [why]: true }
    const { text: scored } = scoredText(
      `> a\nb\n\`\`\`\n> c\n\`\`\`\nError: a\nError: b\nError: c`,
      {
        ...OPTIONS,
        stripQuoted: only,
      },
    )
    expect(scored.replaceAll(/\n{2,}/gu, '\n').trim()).toBe(text)
  })

  it('is scored by default', () => {
    const { text } = scoredText('> a\nb', { maxChars: null, stripThinking: false })
    expect(text).toBe('> a\nb')
  })

  it.each([
    ['quotations', '> x\n'.repeat(200_000)],
    ['fences', '```\n'.repeat(200_000)],
    ['backticks', '`'.repeat(500_000)],
    ['dots', 'a.'.repeat(300_000)],
    ['one long line of words', 'at a b c '.repeat(100_000)],
    ['many lines of words', `${'at a b c '.repeat(60)}\n`.repeat(2000)],
    ['blank lines in a log', `Error: a\n${'\n'.repeat(300_000)}`],
  ])('reads %s to the end', (_, text) => {
    // A quadratic reader would not end within the time that a test has.
    expect(quotedIn(`${text}\nword`, ALL).every(({ from, to }) => from <= to)).toBe(true)
  })
})
