import type { z } from 'zod'
import { parseJson } from '../../engine/result.ts'

/** The value of a JSON text, by its schema. Null if it is not JSON or does not match the schema. */
export function jsonAs<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  const value = parseJson(text)
  const parsed = value.ok ? schema.safeParse(value.value) : null
  return parsed?.success === true ? parsed.data : null
}
