import { expect, it } from 'vitest'
import { chosen } from '../e2e/helpers/rotation.ts'

it('takes every item of a list on as many days as the list has parts', () => {
  const themes = ['dark', 'light', 'contrast']
  const days = [0, 1, 2].flatMap((day) => chosen(themes, 1, day))
  expect(days.toSorted()).toEqual(themes.toSorted())
  const looks = [1, 2, 3, 4, 5, 6, 7, 8]
  expect(new Set([0, 1, 2].flatMap((day) => chosen(looks, 3, day)))).toEqual(new Set(looks))
})

it('refuses a seed that is not a whole number', () => {
  expect(() => chosen(['dark'], 1, Number('today'))).toThrow('E2E_SEED')
})
