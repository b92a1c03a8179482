import { expect, it, test } from 'vitest'
import { evaluateRedaction } from '../../../scripts/evaluate-redaction.ts'
import { createLetters } from '../../../fixtures/redaction/letters.ts'
import { secondSecrets } from '../../../fixtures/redaction/second-set.ts'
import { DEFAULT_KINDS } from '../schema/redaction.ts'
import { redactText, redactValue } from './redact.ts'
import { createReview } from './review.ts'

const all = (text: string) => redactText(text, { kinds: DEFAULT_KINDS })
/** Made here, so that no scanner of repositories takes the test for a leak. */
const letters = createLetters(31)
const random = letters.of('alnum', 18)
const mark = '[REDACTED:key]'

test.each(['tune', 'held'] as const)(
  '[R15] of the second set (%s) at least 97 of 100 secrets are found, at most 2 of 100 harmless lines taken',
  (half) => {
    const { found, taken } = evaluateRedaction(half, all, 'second')
    expect(found.of + taken.of).toBeGreaterThan(300)
    expect(found.count / found.of).toBeGreaterThanOrEqual(0.97)
    expect(taken.count / taken.of).toBeLessThanOrEqual(0.02)
  },
)

test('[R5] redacting the second set twice is redacting it once', () => {
  for (const { text } of secondSecrets()) expect(all(all(text))).toBe(all(text))
})

test('[R4] what is left of the second set is JSON where it was, also as JSON in JSON', () => {
  for (const { text } of secondSecrets()) {
    const once = JSON.stringify({ text, after: '"' })
    for (const json of [
      once,
      JSON.stringify({ once }),
      JSON.stringify({ deep: JSON.stringify({ once }) }),
    ])
      expect(() => void JSON.parse(all(json)), text).not.toThrow()
  }
})

test.each([
  [String.raw`{"password": "a1\"b2\\c3d4"}`, `{"password": "${mark}"}`],
  [
    String.raw`{"a": "{\"password\": \"a1\\\"b2\"}"}`,
    String.raw`{"a": "{\"password\": \"[REDACTED:key]\"}"}`,
  ],
  [`{"a":"the password: 'x","b":"it's"}`, `{"a":"the password: 'x","b":"it's"}`],
  [`["password=",true,12345,"x"]`, `["password=",true,12345,"x"]`],
  [`{"password": 12345678, "pin": null}`, `{"password": 12345678, "pin": null}`],
])('[R15] a value ends where its own quotes and escapes say: %j', (text, left) => {
  expect(all(text)).toBe(left)
})

test.each([
  ['os.Setenv("DB_PASSWORD", "rosebud")', `os.Setenv("DB_PASSWORD", "${mark}")`],
  ['"required": ["username", "password", "email"]', null],
  ['--- PASS: TestLogin/with_password1 (0.01s)', null],
  ['Contraseña: rosebud7', `Contraseña: ${mark}`],
  ['password: string;', null],
  ['{"name": "make_password", "arguments": {}}', null],
])('[R16] [R17] %s', (text, left) => expect(all(text)).toBe(left ?? text))

test.each([
  ['postgres://app:ab#12@db:5432/x', 'postgres://[REDACTED:token]@db:5432/x'],
  ['http://localhost:3000/users/@me', null],
  [
    `https://acme.io/f?sig=${letters.of('alnum', 30)}&x=1`,
    'https://acme.io/f?sig=[REDACTED:token]&x=1',
  ],
  ['https://acme.io/list?code=200&sort=key', null],
])('[R18] addresses: %s', (text, left) => expect(all(text)).toBe(left ?? text))

test.each([
  ['sshpass -p rosebud ssh host', `sshpass -p ${mark} ssh host`],
  ['mysql -u root -p shop', null],
  ['docker run -p 8080:80 nginx', null],
  ["echo 'ann:rosebud' | chpasswd", `echo 'ann:${mark}' | chpasswd`],
  ['machine a.io login ann password rosebud', `machine a.io login ann password ${mark}`],
])('[R19] commands and files of tools: %s', (text, left) => expect(all(text)).toBe(left ?? text))

it('[R20] names of fields announce secrets where names and values are data', () => {
  const redact = (text: string, field: string | null) =>
    redactText(text, { kinds: DEFAULT_KINDS }, field)
  const input = {
    password: 'rosebud',
    env: [{ name: 'API_TOKEN', value: random }],
    args: ['--password', 'rosebud', '--verbose'],
    passwordField: 'rosebud',
    type: 'password',
  }
  expect(redactValue(input, redact)).toEqual({
    password: mark,
    env: [{ name: 'API_TOKEN', value: mark }],
    args: ['--password', mark, '--verbose'],
    passwordField: 'rosebud',
    type: 'password',
  })
  const review = createReview(DEFAULT_KINDS)
  review.add(input, { session: 0, seq: 0 })
  expect(review.findings().map(({ value }) => value)).toEqual(['rosebud', random])
})

test.each([
  'password=',
  'token="',
  '://a:',
  '&sig=',
  'zip -P ',
  'пароль:',
  'echo | chpasswd ',
  'cookie="a=',
])('[R3] half a million units of %j are read before a test is given up', (piece) => {
  expect(all(piece.repeat(500_000 / piece.length)).length).toBeGreaterThan(0)
})
