import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileDomains, patternIdentities } from '../../engine/matcher/domains.ts'
import { knownPattern } from '../../engine/matcher/python/pattern-cache.ts'
import { createTextFacts } from '../../engine/matcher/text-facts.ts'
import { testSignal } from '../../engine/matcher/signal.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import { createDerivedFiles, derivedBytes } from './derived-files.ts'
import { createParsedStore } from './parsed.ts'
import { isKnownPattern, createPatternStore, patternsFileName } from './patterns.ts'
import { writeAutomaton } from './write.ts'

const OPTIONS = { asciiBoundaries: false } as const
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-kept-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** As a program that starts has them. */
const filesIn = (own: string | null, shipped = join(folder, 'none')) =>
  createDerivedFiles({ shipped, own }, (name, bytes) => {
    if (own !== null) writeAutomaton(own, name, bytes)
  })

/** A file of sixty patterns that no other test has. */
const fileOf = (name: string): DomainFile => ({
  domains: [
    {
      name: 'all',
      signals: Array.from({ length: 60 }, (_, at) => `${name}${at}(?:ing|ed)?`),
    },
  ],
})

function run(file: DomainFile, text: string): readonly boolean[] {
  const set = compileDomains(file, OPTIONS)
  if (!set.ok) throw new Error('it was refused')
  return set.value.signals.map((signal) => testSignal(signal, createTextFacts(text)))
}

describe('[C23] what was found out of patterns', () => {
  it('is written when texts were scanned, and again when more is known', () => {
    const store = createPatternStore(filesIn(folder))
    const file = fileOf('grown')
    store.offer(file, OPTIONS)
    store.keep()
    expect(readdirSync(folder)).toEqual([])
    run(file, 'grown1')
    store.keep()
    const name = patternsFileName(patternIdentities(file, OPTIONS))
    expect(readdirSync(folder)).toEqual([name])
    const small = readFileSync(join(folder, name)).length
    store.keep()
    expect(readFileSync(join(folder, name))).toHaveLength(small)
    run(file, 'grown1 \u00e9')
    store.keep()
    expect(readFileSync(join(folder, name)).length).toBeGreaterThan(small)
  })

  it('is taken over by the next start', () => {
    const file = fileOf('taken')
    const identities = patternIdentities(file, OPTIONS)
    const found = fileOf('found')
    run(found, 'x')
    // A file from another process. In place of each pattern, it holds the pattern of the other domain file.
    const patterns = patternIdentities(found, OPTIONS).map((one) => knownPattern(one))
    writeFileSync(join(folder, patternsFileName(identities)), derivedBytes(patterns))
    createPatternStore(filesIn(null, folder)).offer(file, OPTIONS)
    expect(run(file, 'found7')[7]).toBe(true)
  })

  it.each([
    [
      'a byte was changed',
      (bytes: Buffer) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
    ],
    ['it is cut off', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['it is empty', () => Buffer.of()],
  ])('is found out anew where %s', (how, damage) => {
    const file = fileOf(`damaged ${how} `)
    const identities = patternIdentities(file, OPTIONS)
    const path = join(folder, patternsFileName(identities))
    const other = patternIdentities(fileOf('found'), OPTIONS).map((one) => knownPattern(one))
    writeFileSync(path, damage(Buffer.from(derivedBytes(other))))
    createPatternStore(filesIn(folder)).offer(file, OPTIONS)
    expect(run(file, 'found7')).not.toContain(true)
    expect(run(file, `damaged ${how} 7`)[7]).toBe(true)
  })

  it.each([
    ['no list', { length: 60 }],
    ['a list of others', Array.from({ length: 60 }, () => ({ flags: {}, plan: null }))],
    ['too short a list', []],
    ['a list of nothing', Array.from({ length: 60 }, () => null)],
  ])('is found out anew where the file holds %s, whoever had it written', (what, value) => {
    const file = fileOf(`forged ${what} `)
    const name = patternsFileName(patternIdentities(file, OPTIONS))
    writeFileSync(join(folder, name), derivedBytes(value))
    createPatternStore(filesIn(folder)).offer(file, OPTIONS)
    expect(run(file, `forged ${what} 7`)[7]).toBe(true)
  })

  it.each([
    ['flags', { ascii: 1 }],
    ['plan', { folded: true, alphabet: 'latin', wideForm: 'text' }],
    ['plan', { folded: true, alphabet: 'unicode', wideForm: 'toString' }],
    ['literals', [1]],
    ['ascii', 7],
    ['wide', undefined],
  ])('of which %s is %j is none', (member, value) => {
    const found = fileOf('whole')
    run(found, 'x')
    const known = knownPattern(patternIdentities(found, OPTIONS)[0] ?? '')
    expect(isKnownPattern(known)).toBe(true)
    expect(isKnownPattern({ ...known, [member]: value })).toBe(false)
    expect([null, 'text', [], {}].some(isKnownPattern)).toBe(false)
  })

  it('is not kept of a file with few patterns, which are read as fast', () => {
    const few: DomainFile = { domains: [{ name: 'a', signals: ['few patterns'] }] }
    const store = createPatternStore(filesIn(folder))
    store.offer(few, OPTIONS)
    run(few, 'few patterns')
    store.keep()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('[C23] what the text of a file holds', () => {
  const text = `name: x # ${'a comment '.repeat(500)}`
  const preset = { kind: 'presets', name: 'x.yaml', text } as const

  it('is kept by the whole text, its kind and its way of writing', () => {
    createParsedStore(filesIn(folder)).keep(preset, { name: 'x', list: [1, null] })
    const { read } = createParsedStore(filesIn(folder))
    expect(read(preset)).toEqual({ name: 'x', list: [1, null] })
    for (const other of [{ kind: 'domains' }, { text: `${text} ` }, { name: 'x.json' }])
      expect(read({ ...preset, ...other })).toBe(undefined)
  })

  it('is written once, and never where it was read', () => {
    const written: string[] = []
    const files = filesIn(folder)
    const counted = {
      read: files.read,
      write: (name: string, value: unknown) => {
        written.push(name)
        files.write(name, value)
      },
    }
    const store = createParsedStore(counted)
    store.keep(preset, { name: 'x' })
    store.keep(preset, { name: 'x' })
    const next = createParsedStore(counted)
    expect(next.read(preset)).toEqual({ name: 'x' })
    next.keep(preset, { name: 'x' })
    expect(written).toHaveLength(1)
  })

  it('is not kept where JSON would change it, nor of a short text', () => {
    const store = createParsedStore(filesIn(folder))
    store.keep(preset, { most: Infinity })
    store.keep(preset, { left: undefined })
    store.keep({ ...preset, text: 'name: x' }, { name: 'x' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('counts of the account before what ships, and is none without a folder', () => {
    const shipped = join(folder, 'shipped')
    const own = join(folder, 'own')
    createParsedStore(filesIn(shipped)).keep(preset, { of: 'shipped' })
    expect(createParsedStore(filesIn(own, shipped)).read(preset)).toEqual({
      of: 'shipped',
    })
    createParsedStore(filesIn(own)).keep(preset, { of: 'own' })
    expect(createParsedStore(filesIn(own, shipped)).read(preset)).toEqual({ of: 'own' })
    const none = createParsedStore(filesIn(null))
    none.keep(preset, { of: 'none' })
    expect(none.read(preset)).toBe(undefined)
  })
})
