import { expect, it } from 'vitest'
import { holdsResults, isModelCall, promptDiffers } from './guard.ts'

const results = { success: true, note: 'two words', list: [1, null], deep: { a: 0.5 } }

it.each([
  ['as JSON', `Results: ${JSON.stringify(results)}`],
  ['indented', `Results:\n${JSON.stringify(results, null, 4)}\nGo.`],
  ['escaped in a call', JSON.stringify({ prompt: `Results: ${JSON.stringify(results)}` })],
  [
    'as Python prints it',
    "{'success': True, 'note': 'two words', 'list': [1, None], 'deep': {'a': 0.5}}",
  ],
])('[A4] results inline are found: %s', (_, text) => expect(holdsResults(text, results)).toBe(true))

it.each([
  ['other results', `Results: ${JSON.stringify({ ...results, note: 'other' })}`, results],
  ['no results', 'You are evaluating step 3.', results],
  ['empty results', '{}', {}],
  ['results too short to tell', 'x is {"a":1}', { a: 1 }],
])('[A4] not found: %s', (_, text, given) => expect(holdsResults(text, given)).toBe(false))

it('[A4] a prompt differs at its first line that does; line ends do not count', () => {
  expect(promptDiffers('a\r\nb\r\n', 'a\nb')).toBeNull()
  expect(promptDiffers('a\nc', 'a\nb')).toEqual({
    line: 2,
    message: 'sent "c", the bundle says "b"',
  })
  expect(promptDiffers('a', 'a\nb')).toEqual({
    line: 2,
    message: 'sent nothing more, the bundle says "b"',
  })
  expect(promptDiffers('a\nb', 'a')?.line).toBe(2)
})

it('[A4] what an agent says is no model call', () => {
  expect(
    ['user', 'injected', 'tool_call'].map((kind) => isModelCall({ kind: kind as 'user' })),
  ).toEqual([true, true, true])
  expect(isModelCall({ kind: 'agent' })).toBe(false)
})
