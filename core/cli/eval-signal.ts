import { z } from 'zod'
import type { SelfSignalOptions } from '../engine/schema/self-signal.ts'
import { readResponse } from '../engine/self-signal/response.ts'
import { filterLines, type LineSource } from './jsonl.ts'

const Input = z.object({ response: z.string().nullable() })

/**
 * `turnscope eval signal`: `{"response"}` to
 * `{"signal": null | {"type","confidence","fields","raw_xml"}, "stripped", "diagnostics"}`.
 * Integers beyond 2^53 - 1 are `{"$int"}`, infinite floats `{"$float"}`.
 */
export function evalSignal(source: LineSource, options: SelfSignalOptions): AsyncIterable<string> {
  return filterLines(source, Input, ({ response }) => {
    const { signal, stripped, diagnostics } = readResponse(response, options)
    const shown =
      signal === null
        ? null
        : {
            type: signal.type,
            confidence: signal.confidence,
            fields: signal.fields,
            raw_xml: signal.rawXml,
          }
    return { signal: shown, stripped, diagnostics }
  })
}
