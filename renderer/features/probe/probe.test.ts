import { describe, expect, it } from 'vitest'
import { AUTO_MOST, messageAt, probeNeed } from '../../stores/probe/selectors.ts'
import type { Collection, Embedder } from '../../stores/probe/store.ts'

const embedder: Embedder = {
  name: 'minilm',
  id: 'minilm:1',
  title: 'MiniLM',
  kind: 'shipped',
  dimensions: 384,
  threshold: 0.35,
  measured: 'measured',
  state: 'ready',
  problem: null,
  remote: false,
}
const collection: Collection = {
  name: 'notes',
  sample: false,
  title: 'notes',
  persona: null,
  store: 'local',
  documents: 1,
  chunks: 4,
  bytes: 100,
  embedder: 'minilm:1',
  threshold: 0.35,
  calibrated: null,
  indexedAt: 1,
  state: 'ready',
  problem: null,
}
const about = { messages: 20, collections: [collection], embedder, auto: true, samples: true }

describe('[D51] what a session is probed with by itself', () => {
  it('a local embedder, something indexed, and at most 500 messages', () => {
    expect(probeNeed(about)).toBe('nothing')
    expect(probeNeed({ ...about, messages: AUTO_MOST })).toBe('nothing')
    expect(probeNeed({ ...about, messages: AUTO_MOST + 1 })).toBe('many')
    expect(probeNeed({ ...about, auto: false })).toBe('asked')
  })

  it('never sends texts away: a remote embedder waits for a click', () =>
    expect(probeNeed({ ...about, embedder: { ...embedder, remote: true } })).toBe('remote'))

  it('says what is missing, the embedder before collections', () => {
    const empty: Collection = { ...collection, chunks: 0, state: 'empty' }
    const other: Collection = { ...collection, state: 'other_embedder' }
    expect(probeNeed({ ...about, messages: 0 })).toBe('messages')
    expect(probeNeed({ ...about, collections: [] })).toBe('collections')
    expect(probeNeed({ ...about, collections: [empty, other] })).toBe('unindexed')
    const sample = { ...empty, sample: true }
    expect(probeNeed({ ...about, collections: [sample, other] })).toBe('samples')
    expect(probeNeed({ ...about, collections: [{ ...other, sample: true }] })).toBe('unindexed')
    expect(probeNeed({ ...about, embedder: { ...embedder, state: 'missing' } })).toBe('embedder')
    expect(probeNeed({ ...about, embedder: null, collections: [] })).toBe('embedder')
  })
})

describe('[D52] the message that the tab shows', () =>
  it('is the selected one, else the last before, else none', () => {
    const isMessage = (seq: number) => seq === 3 || seq === 7
    expect(messageAt(isMessage, 7)).toBe(7)
    expect(messageAt(isMessage, 6)).toBe(3)
    expect(messageAt(isMessage, 2)).toBeNull()
  }))
