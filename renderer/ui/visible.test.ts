import { expect, test } from 'vitest'
import { MOST_NAME, readable, shortName, titleOf, visible } from './visible.ts'

test('[U16] bidi and other invisible control characters are shown as marks', () => {
  expect(visible('invoice\u202Efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe')
  expect(visible('a\u0000b\u001B[2Jc\u007F\u0085')).toBe('a⟨U+0000⟩b⟨U+001B⟩[2Jc⟨U+007F⟩⟨U+0085⟩')
  expect(visible('\u2066x\u2069\u200Ey\u061C\u200B\uFEFF\u2028\u{E0041}')).toBe(
    '⟨U+2066⟩x⟨U+2069⟩⟨U+200E⟩y⟨U+061C⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+2028⟩⟨U+E0041⟩',
  )
})

test('[U16] ordinary text stays the same string', () => {
  for (const text of ['Grüße, 世界 שלום', 'a\tb\r\nc', '👩‍💻 नमस्ते', ''])
    expect(visible(text)).toBe(text)
})

test('[U17] a big name is cut in its middle, never inside of a character', () => {
  const name = `${'a'.repeat(2500)}👩${'b'.repeat(2500)}.jsonl`
  const shown = shortName(name)
  expect(shown.length).toBeLessThanOrEqual(MOST_NAME)
  expect(shown.startsWith('aaaa')).toBe(true)
  expect(shown.endsWith('.jsonl')).toBe(true)
  expect(shown).toContain('…')
  const faces = shortName('👩'.repeat(5000))
  expect(faces.isWellFormed()).toBe(true)
  expect(shortName('short\u202E')).toBe('short⟨U+202E⟩')
})

test.each([
  ['pаypal', 'pа⟨U+0430⟩ypal'],
  ['Αpple.jsonl', 'Α⟨U+0391⟩pple.jsonl'],
  ['ссылкa', 'ссылкa⟨U+0061⟩'],
  ['cоо', 'c⟨U+0063⟩оо'],
  ['һello world', 'һ⟨U+04BB⟩ello world'],
  ['gооgle_ads', 'gо⟨U+043E⟩о⟨U+043E⟩gle_ads'],
  ['aօ', 'aօ⟨U+0585⟩'],
])('[U20] a word of two scripts is marked: %s', (name, shown) => {
  expect(shortName(name)).toBe(shown)
  expect(titleOf(name)).toBe(shown)
})

test.each([
  'user_имя.jsonl',
  'привет world',
  'Δt',
  'μm',
  'λ-calculus',
  'naïve café',
  '東京tokyo',
  'ελληνικά',
  'файл 2.yaml',
  'größe',
  'Ελλάδα-greece',
  'हिन्दी-x',
  '',
])('[U20] words of one script each stay as they are: %s', (name) => {
  expect(shortName(name)).toBe(name)
})

test('[B25] a text of a transcript is read without codes of the terminal', () => {
  expect(readable('\u001B[1m\u001B[32mPASS\u001B[39m a\u0000')).toBe('PASS a⟨U+0000⟩')
})
