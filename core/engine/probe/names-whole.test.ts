import { describe, expect, it, test } from 'vitest'
import { strengthOf } from './aggregate.ts'
import { chunkDocument, indexedText } from './chunk.ts'
import { extractPhrases } from './extract.ts'
import { recommendedProbe } from './options.ts'
import { keywordCollection } from './persona.ts'
import type { ProbeHit } from '../schema/probe.ts'

function phrases(text: string): readonly string[] {
  return extractPhrases(text, recommendedProbe).map((phrase) => phrase.text)
}

describe('[D63] a chunk is indexed with the headings it stands under', () => {
  const page = '# Vexholm Gate\n\n## History\n\nIt was raised by the river guild.\n'

  it('[D63] the title is in what is embedded, not in what is shown', () => {
    const [chunk] = chunkDocument('gate.md', page)
    expect(chunk?.text).not.toContain('Vexholm')
    expect(indexedText(chunk!)).toBe(
      '## History (Vexholm Gate)\n\nIt was raised by the river guild.',
    )
  })

  it('[D63] a later piece of a section has all of them', () => {
    const piece = { text: 'The second half.', heading: 'Vexholm Gate > History > Floods' }
    expect(indexedText(piece)).toBe('Floods (History, Vexholm Gate)\nThe second half.')
  })

  it('[D63] a heading that the text has is not said twice; text without headings stays', () => {
    const text = '# Vexholm Gate\n\nRaised by the guild.\n'
    const [own] = chunkDocument('gate.md', text)
    expect(indexedText(own!)).toBe(own!.text)
    const [plain] = chunkDocument('gate.txt', 'Raised by the guild.')
    expect(indexedText(plain!)).toBe('Raised by the guild.')
  })
})

describe('[D64] addresses and names with marks in them are whole', () => {
  test.each([
    ['Why does https://docs.example.com/a/b?x=1#y. fail', 'https://docs.example.com/a/b?x=1#y'],
    ['Open (https://example.org/wiki/Gate_(A)) for me', 'https://example.org/wiki/Gate_(A)'],
    ['What is on wiki.example.co.uk today?', 'wiki.example.co.uk'],
    ['Write to ann.lee+new@mail.example.com about it', 'ann.lee+new@mail.example.com'],
    ['What runs at 192.168.10.24:8080 now?', '192.168.10.24:8080'],
    ['Block 10.0.0.0/8 at once', '10.0.0.0/8'],
    ['Can you ping fe80::1ff:fe23:4567:890a from here', 'fe80::1ff:fe23:4567:890a'],
    ['When is our next D&D night?', 'D&D'],
    ["Where did D&D's rules change?", 'D&D'],
    ['What does the R.S.S. Alice carry?', 'R.S.S. Alice'],
    ['Who was J. R. R. Tolkien again?', 'J. R. R. Tolkien'],
  ])('[D64] %s', (text, whole) => {
    const found = phrases(text)
    expect(found).toContain(whole)
    const inside = found.filter((phrase) => phrase !== whole && whole.includes(phrase))
    expect(inside).toEqual([])
  })

  it('[D64] a time, a version and a sentence that ends are no addresses', () => {
    for (const text of ['It broke at 12:30:45 there', 'Take plan B. Then leave.', 'see 1.2.3 it']) {
      const rules = extractPhrases(text, recommendedProbe).map((phrase) => phrase.rule)
      expect(rules).not.toContain('identifier')
      expect(phrases(text)).not.toContain('B. Then')
    }
  })
})

describe('[D65] keywords of a persona', () => {
  const collections = [
    { name: 'dnd', persona: null, keywords: ['dragon', 'campaign diary', 'D&D', 'glass'] },
  ]
  test.each([
    'Ask about the dragons in it',
    "What is the dragon's name?",
    "Which are the dragons' caves",
    'All those campaign diaries were lost',
    "What are D&D's rules",
    'Two glasses of it',
  ])('[D65] %s', (text) => expect(keywordCollection(text, collections)).toBe('dnd'))

  it('[D65] other words that begin the same are none', () => {
    expect(keywordCollection('a dragonfly in the glassware', collections)).toBe(null)
    expect(keywordCollection('campaign of diary', collections)).toBe(null)
  })
})

describe('[D66] [L26] strength counts hits', () => {
  const hit = (similarity: number, chunk_idx: number): ProbeHit => ({
    phrase: 'x',
    collection: 'c',
    chunk_text: '',
    similarity,
    lexical: null,
    score: similarity,
    threshold: 0.4,
    filename: 'a.md',
    chunk_idx,
    lines: null,
    from_cache: false,
  })
  it('[D66] two weak hits of one phrase are moderate, one is weak', () => {
    expect(strengthOf([hit(0.42, 0)], 'c')).toBe('weak')
    expect(strengthOf([hit(0.42, 0), hit(0.41, 1)], 'c')).toBe('moderate')
  })
  it('[D66] a chunk that one phrase found in two ways of writing is one hit', () => {
    expect(strengthOf([hit(0.42, 0), { ...hit(0.41, 0), phrase: 'X' }], 'c')).toBe('weak')
  })
  it('[D66] two hits that average 0.55 are strong', () =>
    expect(strengthOf([hit(0.58, 0), hit(0.53, 1)], 'c')).toBe('strong'))
})
