import { describe, expect, it } from 'vitest'
import type { TrustItem, TrustPlace } from '../schema/trust.ts'
import { isAllowed, sentenceOf, standingOf } from './decide.ts'
import { identityOf, itemOfCoach, itemOfEmbedder, itemOfStore, namedItems } from './items.ts'

const PLACE: TrustPlace = { workspace: '/w', own: ['/own'], file: null, pairs: [], thisRun: [] }
const ITEM: TrustItem = {
  kind: 'store',
  by: 'qdrant',
  address: 'https://a.example:6333/x',
  variables: ['KEY'],
}
const file = (items: readonly TrustItem[], path = '/w') => ({
  variables: [],
  workspaces: [{ path, at: 1, items, digest: '' }],
})
const asked = (place: Partial<TrustPlace>, kept: Parameters<typeof isAllowed>[1]['file'] = null) =>
  isAllowed(ITEM, { place: { ...PLACE, ...place }, file: kept, ownRepositories: [] })

const NAMING = {
  collections: [],
  repositories: [],
  probe: { embedder: 'minilm', auto: true, embedders: {}, measured: {} },
  coach: { mode: 'off', provider: 'anthropic', baseUrl: null, model: '' },
} as const

describe('[V31] what a workspace names', () => {
  it('is nothing for the local store, the shipped embedder and a coach without a model', () => {
    expect(itemOfStore(undefined)).toBeNull()
    expect(itemOfStore({ kind: 'local' })).toBeNull()
    expect(namedItems({ ...NAMING, collections: [{ name: 'a' }] })).toEqual([])
  })

  it('lists one address once, with all that use it', () => {
    const store = { kind: 'qdrant', url: 'https://q.example', collection: 'c' } as const
    const items = namedItems({
      ...NAMING,
      collections: [
        { name: 'a', store },
        { name: 'b', store: { ...store, collection: 'other' } },
        { name: 'c', store: { ...store, keyEnv: 'KEY' } },
      ],
      coach: { ...NAMING.coach, mode: 'model', model: 'm' },
      repositories: ['/w'],
    })
    expect(items.map(({ users }) => users)).toEqual([['a', 'b'], ['c'], ['m'], []])
    expect(items[2]).toMatchObject({ address: 'https://api.anthropic.com/v1' })
  })

  it('an address, a variable or a driver more makes it another item; the order of variables does not', () => {
    const same = { ...ITEM, variables: ['A', 'B'] }
    expect(identityOf(same)).toBe(identityOf({ ...same, variables: ['B', 'A'] }))
    const others = [{ by: 'pgvector' }, { address: 'https://b.example' }, { variables: [] }]
    for (const other of others) expect(identityOf({ ...ITEM, ...other })).not.toBe(identityOf(ITEM))
  })

  it('tells every item in a line, with its address and variables', () => {
    const items = [
      ITEM,
      itemOfStore({ kind: 'pgvector', urlEnv: 'DB', table: 't' }) ?? ITEM,
      itemOfEmbedder({ kind: 'folder', title: 'F', path: '/models/x' }),
      itemOfCoach({ provider: 'anthropic', baseUrl: null }),
    ]
    expect(items.map((item) => sentenceOf(item))).toEqual([
      'vector store (qdrant) at https://a.example:6333/x, with the variable KEY',
      'vector store (pgvector) at the address in the variable DB',
      'embedder (folder) at /models/x',
      "coach's model (anthropic) at https://api.anthropic.com/v1, with the variable TURNSCOPE_COACH_KEY or ANTHROPIC_API_KEY",
    ])
  })
})

describe('[V30] whether an item may be used', () => {
  it('nothing may until the person says so, for this workspace and exactly this item', () => {
    expect(asked({})).toBe(false)
    expect(asked({}, file([ITEM]))).toBe(true)
    expect(asked({}, file([ITEM], '/other'))).toBe(false)
    expect(asked({}, file([{ ...ITEM, variables: [] }]))).toBe(false)
    expect(asked({ thisRun: [ITEM] })).toBe(true)
    expect(asked({ thisRun: 'all' })).toBe(true)
    expect(asked({ own: ['/w'] })).toBe(true)
  })

  it.each([
    ['https://a.example:6333', true],
    ['https://A.example:6333/other/path', true],
    ['https://a.example', false],
    ['http://a.example:6333', false],
    ['https://a.example:6333@evil.example', false],
    ['https://a.example:63330', false],
    ['*', false],
  ])('[D62] a variable allowed for %s allows the address: %s', (address, allowed) => {
    expect(asked({ pairs: [{ name: 'KEY', address }] })).toBe(allowed)
    expect(asked({ pairs: [{ name: 'OTHER', address }] })).toBe(false)
  })

  it('[V37] an own workspace does not make a repository elsewhere its own', () => {
    const item: TrustItem = { kind: 'git', by: 'git', address: '/elsewhere', variables: [] }
    const place = { ...PLACE, own: ['/w'] }
    expect(isAllowed(item, { place, file: null, ownRepositories: ['/w'] })).toBe(false)
    expect(isAllowed(item, { place, file: null, ownRepositories: ['/elsewhere'] })).toBe(true)
    expect(isAllowed(item, { place, file: file([item], '/third'), ownRepositories: [] })).toBe(true)
  })

  it('how a workspace stands follows from its items', () => {
    expect(standingOf(PLACE, [])).toBe('plain')
    expect(standingOf(PLACE, [{ granted: true }])).toBe('trusted')
    expect(standingOf(PLACE, [{ granted: true }, { granted: false }])).toBe('restricted')
    expect(standingOf({ ...PLACE, own: ['/w'] }, [{ granted: false }])).toBe('own')
  })
})
