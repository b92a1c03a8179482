import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasReading } from '../../engine/matcher/automaton/readings.ts'
import { prepareScan, scanText, warmUp } from '../../engine/matcher/scan.ts'
import { compileSignal, testSignal, type CompiledSignal } from '../../engine/matcher/signal.ts'
import { createTextFacts } from '../../engine/matcher/text-facts.ts'
import { pack, unpack, automatonOf } from './format.ts'
import { createAutomataStore } from './store.ts'
import { ownAutomata, writeAutomaton } from './write.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-automata-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const WORDS = 'alpha beta gamma delta epsilon zeta theta kappa lambda sigma omega nine'.split(' ')

/** A list with separate signals, because automata are stored by the patterns of their signals. */
function listOf(name: string): readonly CompiledSignal[] {
  return WORDS.map((word) => {
    const pattern = `${name} (?:${WORDS.map((other) => `${word} ${other} forever`).join('|')})`
    const signal = compileSignal({ pattern, dialect: 'python' }, 'test', { asciiBoundaries: false })
    if (!signal.ok) throw new Error(signal.error.what)
    return signal.value
  })
}

/** All that the signals look for: more than a thousand states. */
const textsOf = (name: string): readonly string[] =>
  WORDS.flatMap((one) => WORDS.map((other) => `so ${name} ${one} ${other} forever`))

const fired = (signals: readonly CompiledSignal[], text: string): readonly number[] =>
  scanText(signals, createTextFacts(text)).fired
const exactly = (signals: readonly CompiledSignal[], text: string): readonly number[] =>
  signals.flatMap((signal, at) => (testSignal(signal, createTextFacts(text)) ? [at] : []))

function storeIn(own: string | null, shipped = join(folder, 'none')) {
  const written: string[] = []
  const store = createAutomataStore({ shipped, own }, (name, bytes) => {
    written.push(name)
    if (own !== null) writeAutomaton(own, name, bytes)
  })
  return { store, written }
}

/** A list that was scanned by its own automaton, which is stored. */
function kept(
  name: string,
  texts = textsOf(name),
): { readonly path: string; readonly own: string } {
  const own = join(folder, name)
  const { store, written } = storeIn(own)
  const signals = listOf(name)
  warmUp(signals)
  for (const text of texts) fired(signals, text)
  store.keep(signals)
  expect(written).toHaveLength(1)
  crowdOut()
  return { own, path: join(own, written[0] ?? '') }
}

/** Creates automata of other lists until all earlier ones are evicted from memory (C12). */
function crowdOut(): void {
  for (const name of ['one', 'two', 'three']) warmUp(listOf(name))
}

describe('[C14] automata that are kept on disk', () => {
  it('are read again by a list of the same signals, and tell the same', () => {
    const { own } = kept('again')
    const signals = listOf('again')
    prepareScan(signals)
    expect(hasReading(signals)).toBe(false)
    storeIn(own).store.offer(signals)
    expect(hasReading(signals)).toBe(true)
    for (const text of [...textsOf('again'), 'again \u00e4 nines', ''])
      expect(fired(signals, text), text).toEqual(exactly(signals, text))
  })

  it('are written again only when they have grown', () => {
    const texts = textsOf('grown')
    const { own, path } = kept('grown', texts.slice(0, 100))
    const { store, written } = storeIn(own)
    const signals = listOf('grown')
    store.offer(signals)
    for (const text of texts.slice(0, 100)) fired(signals, text)
    store.keep(signals)
    expect(written).toEqual([])
    for (const text of texts) fired(signals, text)
    store.keep(signals)
    expect(written.map((name) => join(own, name))).toEqual([path])
  })

  it('that ship serve a preset with more signals (C12)', () => {
    const { own: shipped } = kept('shipped')
    const signals = [...listOf('other').slice(0, 3), ...listOf('shipped')]
    storeIn(null, shipped).store.offer(signals)
    expect(hasReading(signals)).toBe(true)
    for (const text of textsOf('shipped').slice(0, 20))
      expect(fired(signals, text)).toEqual(exactly(signals, text))
  })

  it.each([
    [
      'a byte was changed',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte)),
    ],
    ['it is cut off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1)],
    ['it is empty', () => new Uint8Array()],
    ['it is something else', () => new TextEncoder().encode('not an automaton at all, but a text')],
  ])('are made anew where %s', (_, damage) => {
    const { own, path } = kept('damaged')
    writeFileSync(path, damage(readFileSync(path)))
    expect(automatonOf(readFileSync(path))).toBeNull()
    const signals = listOf('damaged')
    storeIn(own).store.offer(signals)
    expect(hasReading(signals)).toBe(false)
    for (const text of textsOf('damaged').slice(0, 5))
      expect(fired(signals, text)).toEqual(exactly(signals, text))
  })

  it('are none where the account has no folder, or one that cannot be written', () => {
    const blocked = join(folder, 'blocked')
    writeFileSync(blocked, 'a file')
    for (const own of [null, blocked]) {
      const signals = listOf('nowhere')
      const { store } = storeIn(own)
      store.offer(signals)
      expect(hasReading(signals)).toBe(false)
      warmUp(signals)
      for (const text of textsOf('nowhere')) fired(signals, text)
      store.keep(signals)
      crowdOut()
    }
    expect(readFileSync(blocked, 'utf8')).toBe('a file')
  })
})

describe('[C14] the folder of automata', () => {
  const name = (digit: string): string => `${digit.repeat(64)}.bin`

  it('is never written outside, nor under another name', () => {
    for (const bad of ['../x.bin', `${name('a')}x`, 'x.bin', '/tmp/x.bin', ''])
      expect(writeAutomaton(join(folder, 'in'), bad, new Uint8Array(4))).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  it('holds the eight files written last, and nothing half written', () => {
    const own = join(folder, 'full')
    mkdirSync(own)
    writeFileSync(join(own, `${name('9')}.0123456789ab.tmp`), 'half')
    utimesSync(join(own, `${name('9')}.0123456789ab.tmp`), 1, 1)
    for (const [at, digit] of Array.from('0123456789').entries()) {
      expect(writeAutomaton(own, name(digit), new Uint8Array(4))).toBe(true)
      utimesSync(join(own, name(digit)), 1000 + at, 1000 + at)
    }
    const left = readdirSync(own)
    expect(left.filter((each) => each.endsWith('.tmp'))).toEqual([])
    expect(existsSync(join(own, name('9')))).toBe(true)
    expect(existsSync(join(own, name('0')))).toBe(false)
    expect(left.length).toBeLessThanOrEqual(8)
  })

  it('is the cache of the account, and never a relative one', () => {
    expect(ownAutomata({ XDG_CACHE_HOME: '/c', HOME: '/h' })?.folder).toBe(
      join('/c/turnscope/automata'),
    )
    expect(ownAutomata({ HOME: '/h' })?.folder).toBe(join('/h/.cache/turnscope/automata'))
    expect(ownAutomata({ XDG_CACHE_HOME: 'c' })).toBeUndefined()
    expect(ownAutomata({})).toBeUndefined()
  })
})

describe('[C14] plain data as bytes', () => {
  it('come back as they were, arrays of all kinds at odd lengths', () => {
    const value = {
      text: '\u00e4 \u{1f600} $array',
      list: [Uint8Array.of(1, 2, 3), { deep: Uint16Array.of(4, 65_535), none: null }],
      signed: Int32Array.of(-1, 2 ** 31 - 1),
      large: Uint32Array.of(2 ** 32 - 1),
      real: Float64Array.of(Infinity, -0.5),
      empty: new Uint16Array(),
    }
    expect(unpack(pack(value))).toEqual(value)
  })
})
