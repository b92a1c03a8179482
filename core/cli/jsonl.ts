import { z } from 'zod'

/** One line of input that could not be answered; the filter goes on with the next. */
function failure(message: string): string {
  return JSON.stringify({ error: message })
}

/**
 * A JSONL filter: one line out for each line in, in order, streaming. A blank line is skipped; a
 * line that is no JSON or not of the schema gives `{"error"}`. `answer` must not throw.
 */
export async function* filterLines<T>(
  lines: AsyncIterable<string>,
  schema: z.ZodType<T>,
  answer: (input: T) => unknown,
): AsyncIterable<string> {
  for await (const line of lines) {
    if (line.trim() === '') continue
    yield respond(line, schema, answer)
  }
}

function respond<T>(line: string, schema: z.ZodType<T>, answer: (input: T) => unknown): string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return failure(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const input = schema.safeParse(value)
  if (!input.success) return failure(z.prettifyError(input.error).replaceAll('\n', ' '))
  return JSON.stringify(answer(input.data))
}
