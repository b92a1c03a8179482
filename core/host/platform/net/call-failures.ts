import type { CoachFailure } from '../../../engine/schema/coach-wire.ts'

export type FailureKind = CoachFailure['kind']

/** [V18] User-facing message for each reason that a model gives no verdict. */
const SAID: Readonly<Record<FailureKind, { readonly what: string; readonly do: string }>> = {
  off: { what: 'no model is turned on', do: 'Turn one on in the settings, and name it' },
  no_key: { what: 'there is no key for the model', do: 'Enter one, or set it in the environment' },
  unauthorized: { what: 'the server refused the key', do: 'Check the key and what it may do' },
  rate_limited: { what: 'the server asks for fewer calls', do: 'Wait, or lower the rate' },
  timeout: { what: 'the model did not answer in time', do: 'Try again, or raise the time limit' },
  unreachable: { what: 'the server cannot be reached', do: 'Check the address and the network' },
  server_error: { what: 'the server failed', do: 'Try again later' },
  cut_off: { what: 'the answer ended too early', do: 'Try again' },
  refused: { what: 'the model refused to answer', do: 'Judge this output yourself' },
  too_large: { what: 'the call was too large', do: 'Lower maxChars in rules.yaml' },
  malformed: { what: 'the answer holds no verdict', do: 'Check model, address and prompt' },
  cancelled: { what: 'cancelled', do: 'Run it again when you want it' },
  restricted: { what: 'this address is not trusted', do: 'See "Workspace trust" in the window' },
  ceiling: {
    what: 'the ceiling of this run is reached',
    do: 'What was judged is kept; raise the ceiling to go on',
  },
}

/** A failure as the wire carries it. `detail` says more of this one; it must hold no secret. */
export function failureOf(kind: FailureKind, detail: string | null = null): CoachFailure {
  const { what, do: advice } = SAID[kind]
  return { kind, what: detail === null ? what : `${what} (${detail})`, do: advice, attempts: 0 }
}

/** Kinds that the next output would only meet again: a batch ends there. */
export const ENDS_BATCH: ReadonlySet<FailureKind> = new Set([
  'off',
  'no_key',
  'unauthorized',
  'rate_limited',
  'unreachable',
  'cancelled',
  'restricted',
  'ceiling',
])
