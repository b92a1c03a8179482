import fc from 'fast-check'
import { expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import { createNumberLists } from './number-lists.ts'

it('[L103] equal lists have one number, others another one, also after the table has grown', () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 3000 }),
      (lists, others) => {
        const made = createNumberLists()
        const known = new Map<string, number>()
        const check = (list: readonly number[]): void => {
          const id = made.idOf(list, list.length)
          const key = list.join(' ')
          expect(id).toBe(known.get(key) ?? known.size)
          known.set(key, id)
          const length = made.endOf(id) - made.startOf(id)
          expect(Array.from({ length }, (_, at) => made.at(made.startOf(id) + at))).toEqual(list)
        }
        lists.forEach(check)
        for (let other = 0; other < others; other += 1) made.idOf([other, 7, 7, 7, 7], 5)
        for (const list of lists)
          expect(made.idOf(list, list.length)).toBe(known.get(list.join(' ')))
        expect(made.size).toBe(known.size + others)
      },
    ),
    casesOf('matcher: number lists'),
  ))
