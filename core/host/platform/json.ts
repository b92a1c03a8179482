import type { z } from 'zod'
import { parseJson } from '../../engine/result.ts'

/** What a JSON text holds, by its schema; null where it is no JSON or holds something else. */
export function jsonAs<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  const value = parseJson(text)
  const parsed = value.ok ? schema.safeParse(value.value) : null
  return parsed?.success === true ? parsed.data : null
}
