import { z } from 'zod'
import { err, ok, type Result } from '../engine/result.ts'

/** One line of input that could not be answered; the filter goes on with the next. */
function failure(message: string): string {
  return JSON.stringify({ error: message })
}

/** Lines as they come, and who is told of one that cannot be used. */
export interface LineSource {
  readonly lines: AsyncIterable<string>
  readonly onBad?: () => void
}

/**
 * A JSONL filter: one line out for each line in, in order, streaming. A blank line is skipped; a
 * line that is no JSON or not of the schema gives `{"error"}`. `answer` may be a promise; it must not fail.
 */
export async function* filterLines<T>(
  { lines, onBad }: LineSource,
  schema: z.ZodType<T>,
  answer: (input: T) => unknown,
): AsyncIterable<string> {
  for await (const line of lines) {
    if (line.trim() === '') continue
    const input = parse(line, schema)
    if (!input.ok) onBad?.()
    yield input.ok ? JSON.stringify(await answer(input.value)) : failure(input.error)
  }
}

function parse<T>(line: string, schema: z.ZodType<T>): Result<T, string> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return err(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const input = schema.safeParse(value)
  return input.success ? ok(input.data) : err(z.prettifyError(input.error).replaceAll('\n', ' '))
}

/** Lines of a stream, split at `\n` only: U+2028 may stand in a JSON string, and readline splits there. */
export async function* linesOf(
  stream: NodeJS.ReadStream,
  onLine: (chars: number) => void = () => undefined,
): AsyncGenerator<string, void, undefined> {
  stream.setEncoding('utf8')
  let rest = ''
  // With an encoding set, chunks are strings.
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      onLine(line.length)
      yield line
    }
  }
  onLine(rest.length)
  if (rest !== '') yield rest
}
