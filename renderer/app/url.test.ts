import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../fixtures/any-character.ts'
import { STUDIES } from '../views/lab/studied.tsx'
import { DOCK_PANELS, TABS } from './features.ts'
import { type Link, emptyLink } from './link.ts'
import { SHOWS, THINGS } from './store.ts'
import { readLink, writeLink } from './url.ts'

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const link: fc.Arbitrary<Link> = fc
  .record({
    source: orNull(
      fc.oneof(
        text.map((id) => ({ kind: 'sample' as const, id })),
        text.map((path) => ({ kind: 'path' as const, path })),
        text.map((name) => ({ kind: 'upload' as const, name, upload: null })),
        fc
          .tuple(text, text, text)
          .map(([results, file, session]) => ({ kind: 'result' as const, results, file, session })),
      ),
    ),
    session: fc.nat(500),
    id: orNull(text),
    turn: orNull(fc.integer({ min: 1, max: 100_000 })),
    event: orNull(fc.nat(100_000)),
    tab: orNull(fc.constantFrom(...TABS.map(({ id }) => id))),
    preset: orNull(text),
    domains: orNull(text),
    profile: orNull(text),
    compare: orNull(text),
    of: orNull(
      fc.record({
        config: fc.constantFrom('a', '1k9z'),
        event: orNull(fc.constantFrom('b', '0zz')),
      }),
    ),
    show: orNull(fc.constantFrom(...SHOWS)),
    find: orNull(fc.string({ minLength: 1, maxLength: 60 })),
    only: fc.boolean(),
    scope: fc.constantFrom('session' as const, 'folder' as const),
    library: orNull(fc.string({ minLength: 1, maxLength: 60 })),
    results: orNull(fc.string({ minLength: 1, maxLength: 60 })),
    dock: orNull(fc.constantFrom(...DOCK_PANELS.map(({ id }) => id))),
    study: orNull(fc.constantFrom(...STUDIES)),
    tour: orNull(fc.record({ id: fc.constantFrom('st-003', 'a'), step: fc.nat(98) })),
    present: orNull(fc.constantFrom(...THINGS)),
  })
  .map((value) =>
    // Without a search, the other search options have their defaults.
    value.find === null ? { ...value, only: false, scope: 'session' as const } : value,
  )

describe('deep link', () => {
  it('reads back what it wrote, with or without #', () =>
    fc.assert(
      fc.property(link, (value) => {
        expect(readLink(writeLink(value))).toEqual(value)
        expect(readLink(`#${writeLink(value)}`)).toEqual(value)
      }),
    ))

  it('survives the URL parser', () => {
    fc.assert(
      fc.property(link, (value) => {
        const url = new URL('http://127.0.0.1:1/')
        url.hash = writeLink(value)
        expect(readLink(url.hash)).toEqual(value)
      }),
    )
  })

  it('takes any fragment without throwing', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (fragment) => {
        // Braces: a property must not return what `expect` returns.
        expect(readLink(fragment).session).toBeGreaterThanOrEqual(0)
      }),
    ))

  it.each([
    'turn=0',
    'turn=-3',
    'turn=1e3',
    'tab=nothing',
    'show=none',
    's=ftp:x',
    's=sample:',
    'n=x',
    'colour=red',
  ])('ignores %s', (fragment) => expect(readLink(fragment)).toEqual(emptyLink))

  it('stays readable', () => {
    const source = { kind: 'sample', id: 'st-003' } as const
    expect(writeLink({ ...emptyLink, source, turn: 12, tab: 'momentum', compare: 'literal' })).toBe(
      's=sample:st-003&turn=12&tab=momentum&compare=literal',
    )
  })
})
