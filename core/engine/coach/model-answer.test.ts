import { describe, expect, it } from 'vitest'
import { readModelAnswer } from './model-answer.ts'

const read = (raw: string) => readModelAnswer(raw, { minConfidence: 0.8 }, 'recorded')
const json = (value: object) => JSON.stringify({ type: 'status', confidence: 0.9, ...value })

describe('[V6] a model’s answer', () => {
  it.each([
    ['plain JSON', json({ coaching_message: 'Show it.' })],
    ['fences', `\`\`\`json\n${json({ coaching_message: 'Show it.' })}\n\`\`\``],
    ['prose around it', `Sure, here: ${json({ coaching_message: 'Show it.' })} Hope it helps {ok}`],
    ['an object before it', `{"thinking": "…"} ${json({ coaching_message: 'Show it.' })}`],
    ['braces in strings', json({ coaching_message: 'Show it.', reason: 'a } and { and "' })],
    ['an upper-case type', json({ type: ' STATUS ', coaching_message: 'Show it.' })],
  ])('[V6] is read from %s', (_, raw) =>
    expect(read(raw)).toMatchObject({ type: 'status', coaching_message: 'Show it.', flags: [] }),
  )

  it.each([
    ['nothing', ''],
    ['prose', 'I think it is done.'],
    ['a torn object', '{"type": "status", "confid'],
    ['an unknown type', json({ type: 'victory' })],
    ['no type', '{"confidence": 1}'],
    ['a list', '[1, 2]'],
    ['null', 'null'],
  ])('[V6] %s is no verdict', (_, raw) => expect(read(raw)).toBeNull())

  it('[V6] below 0.80 it becomes a question; the coaching is kept for display (L32)', () => {
    expect(read(json({ confidence: 0.79, coaching_message: 'Show it.' }))).toMatchObject({
      type: 'question',
      coaching_message: 'Show it.',
      flags: ['low_confidence'],
    })
    expect(read(json({ confidence: 0.8, coaching_message: 'Show it.' }))?.type).toBe('status')
  })

  it('[V6] confidence may be a percentage or text; what cannot be read is none at all', () => {
    expect(read(json({ confidence: '95%', coaching_message: 'x' }))?.confidence).toBe(0.95)
    expect(read(json({ confidence: 95, coaching_message: 'x' }))?.confidence).toBe(0.95)
    expect(read(json({ confidence: 'high' }))?.flags).toEqual(['bad_confidence', 'low_confidence'])
    expect(read('{"type":"completion"}')?.type).toBe('question')
    expect(read(json({ confidence: '1.5%', coaching_message: 'x' }))?.confidence).toBe(0.015)
  })

  it('[V6] a number just above 1 is no percentage: it cannot be read', () => {
    for (const confidence of [1.5, '1.5', 8, 101, -0.5])
      expect(read(json({ confidence, coaching_message: 'x' }))).toMatchObject({
        type: 'question',
        confidence: 0,
        flags: ['bad_confidence', 'low_confidence'],
      })
  })

  it('[V6] coaching decides: a completion with coaching is sent back, a question is not', () => {
    expect(read(json({ type: 'completion', coaching_message: 'Show it.' }))).toMatchObject({
      type: 'status',
      coaching_message: 'Show it.',
      flags: ['coaching_on_pass'],
    })
    expect(read(json({ type: 'question', coaching_message: 'Go on.' }))).toMatchObject({
      type: 'question',
      coaching_message: null,
      flags: ['coaching_on_pass'],
    })
  })

  it('[V6] a status without coaching says so; "null" and blanks are none', () => {
    for (const coaching of [null, '', '  ', 'null', 'None']) {
      expect(read(json({ coaching_message: coaching }))?.flags).toEqual(['no_coaching'])
    }
  })

  it('[V6] the words of the reason decide nothing', () => {
    const reason = 'hedging, no evidence, rejected, should be status'
    expect(read(json({ type: 'completion', reason }))).toMatchObject({
      type: 'completion',
      reason,
      coaching_message: null,
    })
  })
})
