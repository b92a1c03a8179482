import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from './turn-row.ts'

const textsOf = (json: string) => [...membersOf(json)].map(({ text }) => text)

describe('[F111] members as they are written', () => {
  it.each([
    ['{}', []],
    ['{"id":12345678901234567890}', ['"id":12345678901234567890']],
    ['{ "a" : 1.0 ,\t"b":[1,{"c":"}"}] }', ['"a" : 1.0', '"b":[1,{"c":"}"}]']],
    ['{"a":"\\\\","a":"\\""}', ['"a":"\\\\"', '"a":"\\""']],
    [
      String.raw`{"m\u0061":"x,y:{\"z\"}","":null}`,
      [String.raw`"m\u0061":"x,y:{\"z\"}"`, '"":null'],
    ],
  ])('%s', (json, expected) => {
    expect(textsOf(json)).toEqual(expected)
  })

  it('names are read, texts put together again mean the same', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.json()),
        fc.constantFrom(0, 1, 3),
        (values, blanks) => {
          const object = Object.fromEntries(
            Object.entries(values).map(([name, json]) => [name, JSON.parse(json) as unknown]),
          )
          const json = JSON.stringify(object, null, blanks)
          const members = [...membersOf(json)]
          expect(members.map(({ name }) => name)).toEqual(Object.keys(object))
          expect(JSON.parse(`{${members.map(({ text }) => text).join(',')}}`)).toEqual(object)
        },
      ),
    )
  })
})
