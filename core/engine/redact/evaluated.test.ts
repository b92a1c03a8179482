import { expect, it, test } from 'vitest'
import { evaluateRedaction } from '../../../scripts/evaluate-redaction.ts'
import { createLetters } from '../../../fixtures/redaction/letters.ts'
import { secretCases } from '../../../fixtures/redaction/set.ts'
import { DEFAULT_KINDS, RedactionKind } from '../schema/redaction.ts'
import { GITLEAKS } from './gitleaks-table.ts'
import { redactText, redactValue } from './redact.ts'
import { RULES } from './rules.ts'
import { findSecrets } from './scan.ts'

const all = (text: string) => redactText(text, { kinds: DEFAULT_KINDS })
const every = (text: string) => redactText(text, { kinds: RedactionKind.options })
const letters = createLetters(7)
/** Made here, so that no scanner of repositories takes the test for a leak. */
const token = `ghp_${letters.of('alnum', 36)}`
const ESC = '\u001b'

test.each(['tune', 'held'] as const)(
  '[F30] of 100 generated secrets (%s) at least 95 are taken out, of 100 look-alikes at most 3',
  (half) => {
    const { found, taken } = evaluateRedaction(half)
    expect([found.of, taken.of]).toEqual([100, 100])
    expect(found.count).toBeGreaterThanOrEqual(95)
    expect(taken.count).toBeLessThanOrEqual(3)
  },
)

test('[F30] the bounds can be missed: a redaction that does nothing finds nothing', () => {
  expect(evaluateRedaction('tune', (text) => text).found.count).toBe(0)
  expect(evaluateRedaction('tune', () => '').taken.count).toBe(100)
})

test('[R5] redacting the evaluated texts twice is redacting them once', () => {
  for (const { text } of secretCases()) expect(all(all(text))).toBe(all(text))
})

it('[F30] every rule of the table has anchors, compiles, and has bounded repetitions', () => {
  expect(GITLEAKS.length).toBeGreaterThan(150)
  for (const { id, anchors, shape } of GITLEAKS) {
    expect(anchors.length, id).toBeGreaterThan(0)
    expect(() => new RegExp(shape, 'y'), id).not.toThrow()
    expect(shape, id).not.toMatch(/(?<!\\)[\])][*+]|\{\d+,\}/u)
  }
})

test.each([
  [`DB_PASSWORD=\\\n  hunter2hunter2`, 'DB_PASSWORD=\\\n  [REDACTED:key]'],
  [
    `{"name": "DB_PASSWORD", "value": "hunter2hunter2"}`,
    '{"name": "DB_PASSWORD", "value": "[REDACTED:key]"}',
  ],
  ['<apiKey>aB3dE5fG7hI9jK1l</apiKey>', '<apiKey>[REDACTED:key]</apiKey>'],
  ['token_count: aB3dE5fG7hI9jK1l', 'token_count: aB3dE5fG7hI9jK1l'],
])('[F31] what is assigned, however it is written: %j', (text, left) => {
  expect(all(text)).toBe(left)
})

it('[F32] a token that a terminal broke at the end of a line is one', () => {
  const long = `github_pat_11${letters.of('upper', 20)}_${letters.of('alnum', 59)}`
  expect(all(`T=1\n${long.slice(0, 50)}\n${long.slice(50)}\n$`)).toBe('T=1\n[REDACTED:key]\n$')
  expect(all(`${token}\nReadme.md changed`)).toBe('[REDACTED:key]\nReadme.md changed')
})

test.each([
  `${ESC}[33m`,
  `${ESC}[1;32m`,
  String.raw`\u001b[33m`,
  String.raw`\x1b[0m`,
  '[36m',
  'a%3D',
])('[F33] a token right behind %j is found', (before) => {
  expect(all(`x ${before}${token}${ESC}[0m y`)).toBe(`x ${before}[REDACTED:key]${ESC}[0m y`)
})

it('[F34] base64 that holds a secret is taken out whole, other base64 is not', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  expect(all(`data: ${encode(`export TOKEN=${token}\n`)}`)).toBe('data: [REDACTED:key]')
  const harmless = `data: ${encode('the quick brown fox jumps over the lazy dog')}`
  expect(all(harmless)).toBe(harmless)
})

it('[F35] phone, card, IBAN and IP are taken out only where they were chosen', () => {
  const text =
    'call +49 30 901820, card 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, from 10.1.2.3'
  expect(all(text)).toBe(text)
  expect(every(text)).toBe(
    'call [REDACTED:phone], card [REDACTED:card], [REDACTED:iban], from [REDACTED:ip]',
  )
})

test.each([
  ['phone', '(415) 555-0132', true],
  ['phone', '+44 20 7946 0958', true],
  ['phone', '2026-11-22 10:00', false],
  ['phone', '1.22.333.4444', false],
  ['card', '4111-1111-1111-1111', true],
  ['card', '4111111111111112', false],
  ['card', '1700000000000000', false],
  ['iban', 'GB82WEST12345698765432', true],
  ['iban', 'GB82 WEST 1234 5698 7654 33', false],
  ['ip', '192.168.4.20', true],
  ['ip', '127.0.0.1', false],
  ['ip', 'version 1.2.3.4', false],
  ['ip', '256.1.1.1', false],
  ['ip', 'fe80::1ff:fe23:4567:890a', true],
  ['ip', '2a02:8109:9a80:1234:aaaa:bbbb:cccc:dddd', true],
  ['ip', 'std::vector a::b 12:34:56 ::1', false],
] as const)('[F36] [F37] [F38] [F39] %s: %s (%s)', (kind, text, isTaken) => {
  expect(findSecrets(text, [kind]).length > 0).toBe(isTaken)
})

it('[R4] numbers of JSON stay numbers, and what is left of tool arguments is JSON', () => {
  const json = JSON.stringify({ card: 4111111111111111, list: [4111111111111111], ip: '10.1.2.3' })
  expect(JSON.parse(every(json))).toEqual({
    card: 4111111111111111,
    list: [4111111111111111],
    ip: '[REDACTED:ip]',
  })
  for (const { text } of secretCases()) {
    const call = JSON.stringify({ arguments: JSON.stringify({ command: text }) })
    const left = JSON.parse(every(call)) as { arguments: string }
    expect(() => void JSON.parse(left.arguments), text).not.toThrow()
  }
})

it('[R2] the same value is replaced by the same mark wherever it stands', () => {
  const left = redactValue({ a: token, b: [`x ${token}`], c: `${ESC}[1m${token}` }, all)
  expect(JSON.stringify(left)).not.toContain(token.slice(0, 12))
})

test.each([
  'eyJ-',
  'eyJrIjoi-',
  'SK-',
  'sntrys_eyJpYXQiO-',
  'xoxe.xoxb-\n',
  'token=',
  'QUJD\n',
  'M.',
])(
  '[R3] two million units of %j are read before a test is given up (quadratic time took minutes)',
  (piece) => {
    expect(every(piece.repeat(2_000_000 / piece.length)).length).toBeGreaterThan(0)
  },
)

it('[R3] an anchor of a rule is never empty', () => {
  for (const { name, anchors } of RULES)
    expect(
      anchors.every((each) => each !== ''),
      name,
    ).toBe(true)
})
