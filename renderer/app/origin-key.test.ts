import { describe, expect, test } from 'vitest'
import { pastedAddress, printedName } from './origin-key.ts'

const ORIGIN = 'http://127.0.0.1:4100'
const TOKEN = 'aB3-_'.repeat(9).slice(0, 43)

describe('[U74] a pasted address', () => {
  test.each([
    `${ORIGIN}/#token=${TOKEN}`,
    `  Turnscope listens on ${ORIGIN}/#token=${TOKEN}\n`,
    `${ORIGIN}/#token=${TOKEN}&s=sample:st-003`,
    TOKEN,
  ])('of this host: %j', (text) =>
    expect(pastedAddress(text, ORIGIN, 's=sample:a')).toEqual({ kind: 'here', token: TOKEN }),
  )

  test('of a host of this machine on another port keeps the place', () => {
    const url = `http://localhost:5000/#token=${TOKEN}`
    expect(pastedAddress(url, ORIGIN, 's=sample:a&turn=3')).toEqual({
      kind: 'there',
      url: `http://localhost:5000/#token=${TOKEN}&s=sample:a&turn=3`,
    })
  })

  test.each([
    '',
    'npm start',
    ORIGIN,
    `https://evil.example/#token=${TOKEN}`,
    `http://evil.example/#token=${TOKEN}`,
    `http://127.0.0.1.evil.example/#token=${TOKEN}`,
    `javascript:alert(1)#token=${TOKEN}`,
    `${ORIGIN}/#s=sample:a`,
  ])('%j is none', (text) => expect(pastedAddress(text, ORIGIN, '')).toEqual({ kind: 'none' }))
})

test('[U18] a page at localhost goes to the printed name, where the key is; its place stays', () => {
  expect(printedName('http://localhost:4100/#s=sample:a&turn=3')).toBe(
    'http://127.0.0.1:4100/#s=sample:a&turn=3',
  )
  expect(printedName('http://127.0.0.1:4100/#s=sample:a')).toBeNull()
  expect(printedName('http://localhost.evil.example:4100/')).toBeNull()
})
