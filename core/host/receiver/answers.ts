import { type Partial, encodeAnswer, encodeStatus } from './protobuf.ts'
import type { Signal } from './request.ts'

export type Encoding = 'json' | 'protobuf'

const TYPES: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
}

/** The encoding of a request by its `content-type`; null for any other. */
export function encodingOf(type: string | undefined): Encoding | null {
  const [name = ''] = (type ?? '').split(';', 1)
  const plain = name.trim().toLowerCase()
  return plain === TYPES.json ? 'json' : plain === TYPES.protobuf ? 'protobuf' : null
}

/** Codes of google.rpc that go with the answers of HTTP. */
const CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 12,
  405: 12,
  413: 8,
  415: 3,
  421: 7,
  429: 8,
  503: 14,
}

/** An answer of the receiver, as OTLP/HTTP has it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** [F150] Status 200, with the refused records of the export. */
export function accepted(encoding: Encoding, signal: Signal, partial: Partial | null): Answer {
  const json =
    partial === null
      ? {}
      : {
          partialSuccess: {
            [signal.rejected]: String(partial.rejected),
            errorMessage: partial.message,
          },
        }
  return of(200, encoding, encoding === 'json' ? JSON.stringify(json) : encodeAnswer(partial))
}

/** [F150] Nothing of the request was taken; `seconds` after which it may come again. */
export function refusedWith(
  status: number,
  message: string,
  encoding: Encoding | null,
  seconds: number | null = null,
): Answer {
  const code = CODES[status] ?? 2
  const body =
    encoding === 'protobuf' ? encodeStatus(code, message) : JSON.stringify({ code, message })
  const answer = of(status, encoding ?? 'json', body)
  return seconds === null
    ? answer
    : { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

function of(status: number, encoding: Encoding, body: string | Uint8Array): Answer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    status,
    body: bytes,
    headers: {
      'content-type': TYPES[encoding],
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  }
}
