import { describe, expect, it } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { readResponse } from './response.ts'

const recommended = promptPreset('recommended').selfSignal
const literal = promptPreset('literal').selfSignal

function block(fields: string, open = '<signal type="need_turn">'): string {
  return `Working on it.\n${open}${fields}</signal>`
}

describe('fields of a self-signal, recommended against literal', () => {
  it('[S4] text fields stay text, even when they look like a number', () => {
    const text = block('<reason>404</reason>')
    expect(readResponse(text, recommended).signal?.fields['reason']).toBe('404')
    expect(readResponse(text, literal).signal).toBeNull()
  })

  it('[S5] lists are read by comma when they are no JSON array', () => {
    const fields = '<reason>no more ideas</reason><blocker>access</blocker>'
    const text = block(`${fields}<attempted>search, read</attempted>`, '<signal type="stuck">')
    expect(readResponse(text, recommended).signal?.fields['attempted']).toEqual(['search', 'read'])
    expect(readResponse(text, literal).signal).toBeNull()
  })

  it('[S6] of a field given twice the first counts', () => {
    const text = block('<reason>the first</reason><reason>the second</reason>')
    expect(readResponse(text, recommended).signal?.fields['reason']).toBe('the first')
    expect(readResponse(text, literal).signal?.fields['reason']).toBe('the second')
  })

  it('[S7] the confidence attribute is read from the opening tag only', () => {
    const text = block('<reason>it said confidence="0.3" there</reason>')
    expect(readResponse(text, recommended).signal?.confidence).toBe(0.5)
    expect(readResponse(text, literal).signal?.confidence).toBe(0.3)
  })
})
