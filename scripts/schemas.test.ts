import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SCHEMAS, schemaText } from './schemas.ts'

it.each([...SCHEMAS])('schemas/%s.schema.json is what the zod schema says', (name, entry) => {
  const file = new URL(`../schemas/${name}.schema.json`, import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(schemaText(entry.title, entry.schema))
})
