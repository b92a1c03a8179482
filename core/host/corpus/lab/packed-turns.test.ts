import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { packTurns } from './packed-turns.ts'

const piece = fc.constantFrom(
  'plain text ',
  '—',
  '\ufeff',
  '→ ',
  'é',
  '计划方案',
  '😀',
  '\ud83d',
  '\0',
  'a'.repeat(90),
)
const texts = fc.array(
  fc.array(piece, { maxLength: 8 }).map((all) => all.join('')),
  { maxLength: 8 },
)

it('[L115] turns whose texts are packed say what they said', () => {
  let packed = 0
  fc.assert(
    fc.property(texts, (all) => {
      const turns = all.map((text, seq) => ({ seq: seq * 3, kind: 'user' as const, text }))
      const kept = packTurns(turns)
      expect(kept.map(({ seq, kind, text }) => ({ seq, kind, text }))).toEqual(turns)
      packed += kept.filter((turn, at) => turn !== turns[at]).length
      const corpus = createCorpus([{ id: 's', turns: kept }])
      expect(corpus.chars).toBe(all.join('').length)
      expect(all.map((_, turn) => corpus.turn(turn).text)).toEqual(all)
    }),
  )
  expect(packed).toBeGreaterThan(50)
})

it('[L115] only texts that become smaller are packed, and none that UTF-8 cannot say', () => {
  const turnOf = (text: string) => ({ seq: 0, kind: 'user' as const, text })
  const isPacked = (text: string) => {
    const turn = turnOf(text)
    return packTurns([turn])[0] !== turn
  }
  expect(isPacked('a plan — and what is done of it')).toBe(true)
  expect(isPacked('a plan, and what is done of it')).toBe(false)
  expect(isPacked('größer als je zuvor')).toBe(false)
  expect(isPacked('计划和方案')).toBe(false)
  expect(isPacked('half of a pair \ud83d — and more of it')).toBe(false)
})
