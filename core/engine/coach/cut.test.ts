import { describe, expect, it } from 'vitest'
import { shippedCoach } from '../../../fixtures/coach-rules.ts'
import { cutForModel } from './cut.ts'

const coach = shippedCoach()
const most = coach.rules.maxChars

describe('[V7] a long output for the model', () => {
  it('[V7] a short one is whole', () =>
    expect(cutForModel(coach, 'short')).toEqual({ text: 'short', removed: 0, kept: 0 }))

  it('[V7] head and tail stay, evidence in the middle too, and what is missing is said', () => {
    const filler = 'The quick brown fox looks at another line of words.\n'
    const half = filler.repeat(Math.ceil(most / filler.length))
    const text = `HEAD\n${half}Tests: 31 passed, 31 total\n${half}TAIL`
    const cut = cutForModel(coach, text)
    expect(cut.text.length).toBeLessThanOrEqual(most + 200)
    expect(cut.text).toMatch(/^HEAD/)
    expect(cut.text).toMatch(/TAIL$/)
    expect(cut.text).toContain('31 passed')
    expect(cut.kept).toBe(1)
    expect(cut.text).toContain(`${cut.removed} characters left out`)
    expect(text.length - cut.removed).toBeLessThan(most)
  })

  it('[V7] no half characters, also without any line break', () => {
    const cut = cutForModel(coach, '😀'.repeat(most))
    expect(cut.text.isWellFormed()).toBe(true)
    expect(cut.removed).toBeGreaterThan(0)
  })
})
