import type { CallContext } from '../../../wire/rpc.ts'

type Handler = (input: unknown, context: CallContext) => unknown

/** The same handlers, each of them wrapped. */
export function wrapHandlers<H extends object>(
  handlers: H,
  wrap: (handler: Handler, name: string) => Handler,
): H {
  const wrapped = Object.entries(handlers).map(([name, handler]: [string, unknown]) => [
    name,
    typeof handler === 'function' ? wrap(handler as Handler, name) : handler,
  ])
  // Each handler is replaced by one of the same type.
  return Object.fromEntries(wrapped) as H
}

/**
 * Returns a handler's answer unchanged. Calls `begin` when asynchronous work begins, and its return value when the work
 * has ended. Calls neither for a synchronous answer.
 */
export function watchWork(answer: unknown, begin: () => () => void): unknown {
  if (isStream(answer)) return watchStream(answer, begin)
  return answer instanceof Promise ? answer.finally(begin()) : answer
}

async function* watchStream(values: AsyncIterable<unknown>, begin: () => () => void) {
  const end = begin()
  try {
    yield* values
  } finally {
    end()
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
