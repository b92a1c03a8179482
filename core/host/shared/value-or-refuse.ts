import type { Result } from '../../engine/result.ts'
import { refusal } from './names.ts'

/** The value of a result, or its problem as the wire carries it. */
export function valueOrRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw refusal(result.error)
}
