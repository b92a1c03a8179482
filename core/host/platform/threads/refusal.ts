import type { Problem, Result } from '../../../engine/result.ts'
import { RpcError } from '../../../wire/rpc.ts'

/** An expected failure, to be thrown across the wire whole. */
export function refusal({ what, ...advice }: Problem): RpcError {
  return new RpcError('REFUSED', what, advice)
}

/** The value of a result, or its problem as the wire carries it. */
export function valueOrRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw refusal(result.error)
}
