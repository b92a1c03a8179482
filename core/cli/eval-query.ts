import { z } from 'zod'
import { classifyQuery } from '../engine/query/classify.ts'
import type { QueryOptions } from '../engine/schema/query.ts'
import { filterLines, type LineSource } from './jsonl.ts'

const Input = z.object({ query: z.string().nullable(), context: z.string().nullish() })

/**
 * `turnscope eval query`: `{"query","context"?}` to
 * `{"type","confidence","keywords","needs_code","needs_vault","needs_web","segment"}`.
 */
export function evalQuery(source: LineSource, options: QueryOptions): AsyncIterable<string> {
  return filterLines(source, Input, ({ query, context }) => {
    const answer = classifyQuery(query, context ?? null, options)
    return {
      type: answer.type,
      confidence: answer.confidence,
      keywords: answer.keywords,
      needs_code: answer.needsCode,
      needs_vault: answer.needsVault,
      needs_web: answer.needsWeb,
      segment: answer.segment,
    }
  })
}
