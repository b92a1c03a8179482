import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atLeast, casesOf } from '../../../fixtures/cases.ts'
import { DEFAULT_KINDS } from '../schema/redaction.ts'
import { redactText, redactValue, secretId } from './redact.ts'
import { createReview } from './review.ts'
import { findSecrets } from './scan.ts'

const KINDS = DEFAULT_KINDS
const all = (text: string) => redactText(text, { kinds: KINDS })
/** Put together here, so that no scanner of repositories takes the test for a leak. */
const key = (...parts: readonly string[]) => parts.join('')
const B62 = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z'

/** Each line is a text and its redacted form. */
const TAKEN: ReadonlyArray<readonly [text: string, left: string]> = [
  [`use ${key('sk-', 'ant-api03-', B62)} now`, 'use [REDACTED:key] now'],
  [`OPENAI=${key('sk-', 'proj-', B62)}`, 'OPENAI=[REDACTED:key]'],
  [`${key('sk-', 'lf-', '1a2b3c4d-0000-4111-8222-123456789abc')}.`, '[REDACTED:key].'],
  [key('AKIA', 'IOSFODNN7ABCDEFG'), '[REDACTED:key]'],
  [`x ${key('ghp_', B62)} y`, 'x [REDACTED:key] y'],
  [key('github_pat_', '11ABCDEFG0', B62), '[REDACTED:key]'],
  [key('xoxb-', '123456789012-abcdefABCDEF'), '[REDACTED:key]'],
  [key('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'), '[REDACTED:key]'],
  [key('glpat-', 'abcDEF123456_7890xyz'), '[REDACTED:key]'],
  [key('npm_', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'), '[REDACTED:key]'],
  [key('hf_', 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'), '[REDACTED:key]'],
  [`api_key = "${B62}"`, 'api_key = "[REDACTED:key]"'],
  [`{"apiKey": "${B62}"}`, '{"apiKey": "[REDACTED:key]"}'],
  [`AWS_SECRET_ACCESS_KEY=${B62}`, 'AWS_SECRET_ACCESS_KEY=[REDACTED:key]'],
  ['password: "hunter2hunter2"', 'password: "[REDACTED:key]"'],
  ['mysql --password s3cr3tPassw0rd -u me', 'mysql --password [REDACTED:key] -u me'],
  [
    `${key('-----BEGIN RSA ', 'PRIVATE KEY-----')}\nMIIEow\nabc=\n${key('-----END RSA ', 'PRIVATE KEY-----')}\nx`,
    '[REDACTED:key]\nx',
  ],
  [`${key('-----BEGIN ', 'PRIVATE KEY-----')}\nMIIEow\nAAAA`, '[REDACTED:key]'],
  [`t=${key('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', B62)}`, 't=[REDACTED:token]'],
  [`-H "Authorization: Bearer ${B62}"`, '-H "Authorization: Bearer [REDACTED:token]"'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZDEy', 'Authorization: Basic [REDACTED:token]'],
  ['postgres://ann:s3cret@db.local/x', 'postgres://[REDACTED:token]@db.local/x'],
  [`git clone https://${B62}@github.com/a/b`, 'git clone https://[REDACTED:token]@github.com/a/b'],
  ['Cookie: theme=dark; sid=a8f7e6d5c4b3', 'Cookie: [REDACTED:token]'],
  [`PHPSESSID=${B62}; x`, 'PHPSESSID=[REDACTED:token]; x'],
  ['write to ann.lee+x@mail.acme.co.uk.', 'write to [REDACTED:email].'],
  ['<jörg@acme.de>', '<[REDACTED:email]>'],
  ['cd /home/ann/work', 'cd /home/[REDACTED:home]/work'],
  ['"/Users/ann.lee"', '"/Users/[REDACTED:home]"'],
  ['file:///home/ann/x', 'file:///home/[REDACTED:home]/x'],
  [String.raw`C:\Users\ann\x`, String.raw`C:\Users\[REDACTED:home]\x`],
  [String.raw`"C:\\Users\\Ann Lee\\x"`, String.raw`"C:\\Users\\[REDACTED:home]\\x"`],
  ['/mnt/c/Users/ann/x', '/mnt/c/Users/[REDACTED:home]/x'],
  ['~/.claude/projects/-home-ann-work/a', '~/.claude/projects/-home-[REDACTED:home]-work/a'],
]

test.each(TAKEN)('[R1] [R2] %s', (text, left) => expect(all(text)).toBe(left))

/** [R6] Texts that look like secrets but are not. */
const KEPT = [
  'commit 1bd541e8c0ffee1234567890abcdef1234567890',
  'id 123e4567-e89b-42d3-a456-426614174000',
  '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  'git clone git@github.com:acme/tool.git',
  'ssh://git@github.com/acme/tool',
  'Co-Authored-By: Claude <noreply@anthropic.com>',
  'mail a@example.com or icon@2x.png, lodash@4.17.21, see user@localhost',
  'max_tokens: 4096, "token": "the", next_token = next(tokens)',
  'password = os.environ["DB_PASSWORD"]',
  'api_key = process.env.OPENAI_API_KEY',
  'api_key: "YOUR_API_KEY_123456"',
  'api_key = "sk-xxxxxxxxxxxxxxxxxxxxxxxx"',
  'password: string; secret?: SecretOptionsV2',
  'class="sk-toggleable__content sk-estimator-doc-link-1"',
  'postgres://user:password@localhost/db',
  'https://example.com/home/index and /api/Users/12',
  '/home/runner/work and /Users/Shared/x and /home/$USER/x',
  'Bearer authentication is required for this',
  '"sessionId": "123e4567-e89b-42d3-a456-426614174000"',
  'x @decorator.call(y) matrix a@b.shape(c)',
]

test.each(KEPT)('[R6] leaves alone: %s', (text) => expect(all(text)).toBe(text))

test('[R2] only the chosen kinds are taken out', () => {
  const text = 'ann@acme.de in /home/ann'
  expect(redactText(text, { kinds: ['email'] })).toBe('[REDACTED:email] in /home/ann')
  expect(redactText(text, { kinds: ['home'] })).toBe('ann@acme.de in /home/[REDACTED:home]')
  expect(redactText(text, { kinds: [] })).toBe(text)
})

test('[R2] what overlaps is taken out as one', () => {
  const token = key('eyJ', 'hbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxMjM0In0.', B62)
  expect(all(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer [REDACTED:token]')
  expect(all(`TOKEN="${key('ghp_', B62)}"`)).toBe('TOKEN="[REDACTED:key]"')
})

test('[R8] a value that is kept stays, wherever it stands', () => {
  const keep = new Set([secretId('email', 'ann@acme.de')])
  const text = 'ann@acme.de bob@acme.de ann@acme.de'
  expect(redactText(text, { kinds: KINDS, keep })).toBe('ann@acme.de [REDACTED:email] ann@acme.de')
})

const secret = fc.constantFrom(
  key('sk-', 'ant-api03-', B62),
  key('ghp_', B62),
  'ann.lee@acme.de',
  '/home/annlee/x',
  String.raw`C:\Users\annlee\x`,
  `Bearer ${B62}`,
  'https://ann:s3cret@acme.de/x',
  `password="${B62}"`,
  `${key('-----BEGIN ', 'PRIVATE KEY-----')}\nMIIE\n${key('-----END ', 'PRIVATE KEY-----')}`,
  'Cookie: sid=a8f7e6d5c4b3a2',
)
const filler = fc.constantFrom(
  '\n',
  '\t',
  ' ',
  '"',
  '\\',
  '/',
  ':',
  '@',
  '.',
  '-',
  '_',
  '=',
  ',',
  '[',
  ']',
  '{',
  '}',
  "'",
  '`',
  'a',
  'n',
  'u00e9',
  'é',
  '😀',
  '0',
  'key',
  'token: ',
  'api_key=',
  'eyJ',
  'sk-',
  '://',
  '[REDACTED:key]',
)
const mixedText = fc.array(
  fc.oneof({ weight: 1, arbitrary: secret }, { weight: 2, arbitrary: filler }),
  { maxLength: 24 },
)
const joined = mixedText.map((parts) => parts.join(''))

test('[R5] the rest of an address that ran into a key stays as the first time left it', () => {
  const once = all(`é${key('sk-', 'ant-api03-', B62)}ann.lee@acme.de`)
  expect(all(once)).toBe(once)
})

test('[R5] redacting twice is redacting once', () =>
  fc.assert(
    fc.property(joined, (text) => {
      const once = all(text)
      expect(all(once)).toBe(once)
    }),
    casesOf('redact: twice'),
  ))

test('[R4] JSON stays JSON, also JSON in JSON; numbers and words of it stay', () => {
  let changed = 0
  const value = fc.dictionary(
    fc.constantFrom('password', 'api_key', 'authorization', 'cookie', 'email', 'text', 'a b'),
    fc.oneof(
      joined,
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger(),
    ),
  )
  fc.assert(
    fc.property(value, (fields) => {
      const once = JSON.stringify(fields)
      for (const text of [once, JSON.stringify({ arguments: once })]) {
        const left = all(text)
        if (left !== text) changed += 1
        const parsed = JSON.parse(left) as unknown
        expect(typeof parsed).toBe('object')
      }
    }),
    casesOf('redact: JSON'),
  )
  expect(changed).toBeGreaterThan(atLeast('redact: JSON', 300))
})

test('[R4] a secret after an escaped line end is found', () => {
  const text = JSON.stringify({ out: `x\nann@acme.de\n${key('ghp_', B62)}\n/home/annlee/y` })
  expect(JSON.parse(all(text))).toEqual({
    out: 'x\n[REDACTED:email]\n[REDACTED:key]\n/home/[REDACTED:home]/y',
  })
})

test('[R3] findings are in order, do not overlap, and are what is replaced', () =>
  fc.assert(
    fc.property(joined, (text) => {
      let last = 0
      let left = ''
      for (const { kind, start, end } of findSecrets(text, KINDS)) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        left += `${text.slice(last, start)}[REDACTED:${kind}]`
        last = end
      }
      expect(left + text.slice(last)).toBe(all(text))
    }),
    casesOf('redact: findings'),
  ))

test('[R7] names of fields and nested texts are redacted; equal names keep both values', () => {
  const value = { 'ann@acme.de': 1, 'bob@acme.de': ['/home/ann', { deep: 'ann@acme.de' }], n: 3 }
  expect(redactValue(value, all)).toEqual({
    '[REDACTED:email]': 1,
    '[REDACTED:email] 2': ['/home/[REDACTED:home]', { deep: '[REDACTED:email]' }],
    n: 3,
  })
})

test('[R7] a value nested deeper than any program nests is redacted too', () => {
  let value: unknown = 'ann@acme.de'
  for (let depth = 0; depth < 1000; depth += 1) value = [value]
  expect(JSON.stringify(redactValue(value, all))).not.toContain('ann@')
})

test('[R8] a review counts a value wherever it stands and shows the first places', () => {
  const review = createReview(KINDS)
  for (let seq = 0; seq < 8; seq += 1) {
    review.add({ text: `mail ann@acme.de now, ${seq}` }, { session: 0, seq })
  }
  review.add({ title: '/home/ann/x' }, { session: 1, seq: -1 })
  const [mail, home] = review.findings()
  expect(mail).toMatchObject({ kind: 'email', value: 'ann@acme.de', count: 8 })
  expect(mail?.id).toBe(secretId('email', 'ann@acme.de'))
  expect(mail?.places).toHaveLength(5)
  const [place] = mail?.places ?? []
  expect(place?.excerpt.slice(...(place.span as [number, number]))).toBe('ann@acme.de')
  expect(home).toMatchObject({
    kind: 'home',
    value: 'ann',
    count: 1,
    places: [{ session: 1, seq: -1 }],
  })
  expect(review.total()).toBe(2)
})
