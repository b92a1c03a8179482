import { expect, test } from 'vitest'
import { type Evidence, excerptOf } from './evidence.ts'
import { spanOf } from './strip.tsx'

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')

function matchIn(text: string, word: string, at: number): Evidence {
  const from = text.indexOf(`${word} `)
  return { span: [from, from + word.length], domain: 'coding', signal: word, at }
}

test('[U137] a short message is shown whole, a long one around the evidence that is spoken of', () => {
  const short = words(20)
  expect(excerptOf(short, [], null)).toMatchObject({ text: short, isCutAfter: false })
  const text = words(2000)
  const late = matchIn(text, 'word1500', 1)
  const early = matchIn(text, 'word3', 0)
  const first = excerptOf(text, [early, late], null)
  expect(first).toMatchObject({ isCutBefore: false, isCutAfter: true })
  expect(first.evidence.map(({ at }) => at)).toEqual([0])
  expect(first.text.length).toBeLessThanOrEqual(1100)
  const second = excerptOf(text, [early, late], late)
  expect(second.isCutBefore).toBe(true)
  const [shown] = second.evidence
  expect(second.text.slice(...shown!.span)).toBe('word1500')
  expect(second.text.startsWith('word')).toBe(true)
})

test('[U137] the strip has at most 120 turns, with the turn among them', () => {
  expect(spanOf(47, 12)).toEqual({ from: 0, to: 47 })
  for (const turn of [0, 1, 59, 60, 5000, 9998, 9999]) {
    const { from, to } = spanOf(10_000, turn)
    expect(to - from).toBe(120)
    expect(turn >= from && turn < to).toBe(true)
  }
})
