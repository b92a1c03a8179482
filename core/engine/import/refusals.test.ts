import { expect, it } from 'vitest'
import { headOfValues } from './head.ts'
import { nearestFormats } from './refusals.ts'
import { IMPORTERS } from './table.ts'

it('[I84] a refusal names three formats, first the one that the file is most like', () => {
  const spans = nearestFormats(headOfValues([{ resourceSpans: 3, scopeSpans: 1 }]), IMPORTERS)
  expect(spans).toHaveLength(3)
  expect(spans[0]).toBe(IMPORTERS.find((row) => row.name === 'otlp')?.label)
  const nothing = nearestFormats(headOfValues([{ a: 1 }]), IMPORTERS)
  expect(nothing[0]).toBe(IMPORTERS.find((row) => row.name === 'openai-messages')?.label)
})
