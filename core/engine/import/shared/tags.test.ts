import { expect, it } from 'vitest'
import { withoutElements } from './tags.ts'

it.each([
  ['a<note>b</note>c', 'ac'],
  ['<note id="1">b</note><note>c</note>', ''],
  ['<notes>b</notes>', '<notes>b</notes>'],
  ['a<note>b', 'a<note>b'],
  ['<other>a</other><note>b</note>', ''],
])('[I123] %s without its notes is %s', (text, rest) => {
  expect(withoutElements(text, ['note', 'other'])).toBe(rest)
})
