import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { adviceToKeep, type KnownAdvice, lintPatterns } from '../../engine/lab/lint/lint-static.ts'
import { DomainFile } from '../../engine/schema/domain.ts'
import { ADVICE_FILE, adviceOfText, adviceText, learnShippedAdvice } from './advice.ts'
import { useShippedFolder } from '../platform/automata-places.ts'

const url = new URL('../../../profiles/domains/default.yaml', import.meta.url)
const SHIPPED = DomainFile.parse(parse(readFileSync(url, 'utf8')))
const OPTIONS = { asciiBoundaries: false }

/** A file with one signal that is slow on some texts. */
const slowFile = (word: string): DomainFile =>
  DomainFile.parse({ domains: [{ name: 'slow', signals: [{ pattern: `(?:(?:${word})+)+b` }] }] })

/** Messages that lint reports for the file. */
const saidOf = (file: DomainFile) => lintPatterns(file, OPTIONS).map(({ what }) => what)

/** Invented advice that no rule computes: if it is reported, it came from the file. */
const madeUp = (file: DomainFile): KnownAdvice =>
  adviceToKeep(file, OPTIONS).map(([key, advice]) => [
    key,
    advice.map((one) => ({ ...one, what: 'made up' })),
  ])

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-advice-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function learnFrom(text: string | null): void {
  if (text !== null) writeFileSync(join(folder, ADVICE_FILE), text)
  useShippedFolder(folder)
  learnShippedAdvice()
}

describe('[F107] advice that ships', () => {
  it.each([false, true])('is what is worked out anew, ASCII boundaries %s', (asciiBoundaries) => {
    const fresh = adviceToKeep(SHIPPED, { asciiBoundaries })
    expect(fresh.length).toBeGreaterThan(300)
    expect(adviceOfText(adviceText(fresh))).toEqual(fresh)
  })

  it('is taken over for the same signal under the same options', () => {
    const file = slowFile('taken')
    learnFrom(adviceText(madeUp(file)))
    expect(saidOf(file)).toEqual(['made up'])
    expect(lintPatterns(file, { asciiBoundaries: true })[0]?.what).toMatch(/exponential/u)
  })

  it.each<[string, string, (text: string) => string | null]>([
    ['missing', 'missing', () => null],
    ['cut off', 'cut', (text) => text.slice(0, -20)],
    ['changed by a letter', 'letter', (text) => text.replace('made up', 'made in')],
    ['another matcher’s', 'other', (text) => text.replace('"engine":"', '"engine":"x')],
    ['no JSON', 'none', () => '\u0000'],
    ['another kind of file', 'kind', () => '[]'],
  ])('is worked out anew where the file is %s', (_, word, change) => {
    const file = slowFile(word)
    learnFrom(change(adviceText(madeUp(file))))
    expect(saidOf(file)).toEqual([expect.stringMatching(/exponential/u)])
  })
})
