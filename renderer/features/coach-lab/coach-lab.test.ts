import { expect, it } from 'vitest'
import { withText } from './state.ts'

it('a draft that says what the file says is none', () => {
  const files = { system: 'a', rules: 'b' }
  const draft = withText({ system: null, rules: null }, files, ['rules', 'c'])
  expect(draft).toEqual({ system: null, rules: 'c' })
  expect(withText(draft, files, ['rules', 'b'])).toEqual({ system: null, rules: null })
})
