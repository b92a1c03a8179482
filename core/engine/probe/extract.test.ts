import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { casesOf } from '../../../fixtures/cases.ts'
import { extractPhrases } from './extract.ts'
import { recommendedProbe } from './options.ts'
import { skipReason } from './run.ts'
import { countWords, phraseKey } from './words.ts'

function phrases(text: string): readonly string[] {
  return extractPhrases(text, recommendedProbe).map((phrase) => phrase.text)
}

describe('[D3] [D4] phrases of a message', () => {
  test.each([
    [
      "What happened at Rogue's End after the Tower Faction arrived?",
      ["Rogue's End", 'Tower Faction'],
    ],
    [
      "Check the system logs for when Rupert's character sheet was last updated",
      ['system logs', 'Rupert', 'character sheet'],
    ],
    ['Who is "the Maid", and does \'BlueShot\' follow her?', ['the Maid', 'BlueShot']],
    ['Roll 2d6+3 against AC 15 please', ['2d6+3', 'AC 15']],
    ['What does RFC 7231 say about CVE-2024-1234?', ['RFC 7231', 'CVE-2024-1234']],
    ['Tell Dr. Ames about the Bank of England', ['Dr. Ames', 'Bank of England']],
    ['my main drive was on the verge of dying', ['main drive', 'verge']],
  ])('%s', (text, wanted) => expect(phrases(text)).toEqual(wanted))

  test('without a phrase of its own the whole message is probed, at a lower weight', () =>
    expect(extractPhrases('is it done and can you do it again', recommendedProbe)).toEqual([
      {
        text: 'is it done and can you do it again',
        rule: 'full_input',
        weight: 0.5,
        spans: [[0, 34]],
      },
    ]))

  test('a phrase that stands in two places is one phrase with two spans', () => {
    const text = 'Ask the Jade Phoenix, then follow the jade phoenix home'
    const [phrase] = extractPhrases(text, recommendedProbe)
    expect(phrase?.text).toBe('Jade Phoenix')
    expect(phrase?.spans).toEqual([[8, 20]])
    const twice = extractPhrases('See Jade Phoenix and Jade Phoenix', recommendedProbe)
    expect(twice.find((each) => each.text === 'Jade Phoenix')?.spans).toHaveLength(2)
  })

  test('at most eight, the best kinds first, in the order of the text', () => {
    const names = 'Ada Byron, Max Planck, Lise Meitner, Emmy Noether, Kurt Hahn, Otto Braun'
    const found = extractPhrases(
      `zymurgy quokka axolotl met ${names}, Paul Klee and Karl Marx`,
      recommendedProbe,
    )
    expect(found).toHaveLength(8)
    expect(found.every((phrase) => phrase.rule === 'capitalised')).toBe(true)
    const starts = found.map((phrase) => phrase.spans[0]?.[0] ?? -1)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })
})

describe('[L25] what simple patterns miss', () => {
  test.each([
    ['What happened at Rogue’s End after that?', 'Rogue’s End'],
    ['Ask Élodie Müller in São Paulo about it', 'Élodie Müller'],
    ['Rupert arrived late', 'Rupert'],
    ["Where is Rupert's coat now?", 'Rupert'],
    ['Open locations_braeneage.md for me', 'locations_braeneage.md'],
    ['why does read_config_file fail here', 'read_config_file'],
    ['look at src/app/main.ts again', 'src/app/main.ts'],
    ['what does parseUserInput return', 'parseUserInput'],
    ['Was geschah in Rabenstein mit der Turmfraktion?', 'Turmfraktion'],
    ['请检查系统日志', '请检查系统日志'],
  ])('%s', (text, wanted) => expect(phrases(text)).toContain(wanted))

  test('an apostrophe inside a word never opens a quotation', () => {
    const text = "The players' guide doesn't say, and Rogue's End isn't what it's called"
    const quoted = extractPhrases(text, recommendedProbe).filter(
      (phrase) => phrase.rule === 'quoted',
    )
    expect(quoted).toEqual([])
    expect(phrases(text)).toContain("Rogue's End")
  })

  test('a name at the start of a sentence may have a verb before it: both readings', () =>
    expect(phrases('Check Rupert and the rest')).toEqual(
      expect.arrayContaining(['Check Rupert', 'Rupert']),
    ))

  test('shouting makes no names', () => {
    const found = extractPhrases('DO NOT TOUCH THE WIZARDS HAT', recommendedProbe)
    expect(found.every((phrase) => phrase.rule !== 'capitalised')).toBe(true)
  })
})

describe('[D2] what is not probed', () => {
  const base = { previous: null, options: recommendedProbe, collections: 2 }
  test.each([
    ['Hello', 'too_short'],
    ['/help', 'reflex_command'],
    ['list_tools', 'reflex_command'],
    ['What happened at Rogue’s End?', null],
    ['请检查系统日志中的错误', null],
  ])('%s: %s', (text, reason) => expect(skipReason({ ...base, text })).toBe(reason))

  test('the message before, once more, and a workspace without collections', () => {
    const text = 'tell me about the tower'
    expect(skipReason({ ...base, text, previous: text })).toBe('duplicate')
    expect(skipReason({ ...base, text, collections: 0 })).toBe('no_collections')
    expect(skipReason({ ...base, text, options: { ...recommendedProbe, enabled: false } })).toBe(
      'off',
    )
  })

  test('words of unspaced scripts are counted by their characters', () => {
    expect(countWords('one two-three four')).toBe(3)
    expect(countWords('系统日志')).toBe(2)
  })
})

test('[D3] a blob of thousands of characters is no phrase; names beside it are', () =>
  expect(phrases(`Why does Rupert get ${'q'.repeat(5000)} back?`)).toEqual(['Rupert']))

describe('[D3] properties', () => {
  test('phrases are cut from the message, long enough, different, at most eight', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const found = extractPhrases(text, recommendedProbe)
        expect(found.length).toBeLessThanOrEqual(8)
        expect(new Set(found.map((phrase) => phraseKey(phrase.text))).size).toBe(found.length)
        for (const phrase of found) {
          expect(Array.from(phraseKey(phrase.text)).length).toBeGreaterThanOrEqual(3)
          for (const [start, end] of phrase.spans) {
            expect(phraseKey(text.slice(start, end))).toBe(phraseKey(phrase.text))
          }
        }
      }),
      casesOf('probe: extract'),
    ))

  test.each(["'", 'A ', 'a_', 'a/', 'x.', "'a ", 'aA', '"', '“a', 'É’s '])(
    'a hostile message of 20,000 characters of %j is read',
    (piece) =>
      expect(
        extractPhrases(piece.repeat(20_000 / piece.length), recommendedProbe).length,
      ).toBeLessThanOrEqual(8),
  )
})
