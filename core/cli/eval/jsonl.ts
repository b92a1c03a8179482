import { allWords } from '../../engine/schema/issue-words.ts'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { err, ok, parseJson, type Result } from '../../engine/result.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { jsonLine } from '../../host/platform/terminal.ts'

/** The output for a line that could not be answered. The filter continues with the next line. */
function failure(message: string): string {
  return jsonLine({ error: message })
}

/** A line of input; null for one over the limit, which is not kept. */
export type InputLine = string | null

/** Error text for a line over the limit. */
export const LINE_TOO_LONG = 'longer than a line may be (64 Mi characters): split it'

/** Input lines, and a callback for unusable ones. */
export interface LineSource {
  readonly lines: AsyncIterable<InputLine>
  readonly onBad?: () => void
}

/** Answers one line. A promise holds up the lines behind it; it must not fail. */
export type Answer<I> = (input: I) => unknown
/** Told what to do after the last line, also when a line failed. */
export type OnEnd = (end: () => Promise<void>) => void

/** Input for opening a filter. */
export interface Opening {
  readonly preset: Preset
  readonly workspace: Workspace
}

/** A filter by name: its input, its output and its handler. */
interface PartRow<I> {
  readonly name: string
  readonly summary: string
  readonly input: z.ZodType<I>
  /** Reads details from the line that a schema loses: the order of keys, and `1.0` as distinct from `1`. */
  readonly exact?: (input: I, line: string) => I
  readonly open: (opening: Opening, onEnd: OnEnd) => Answer<I> | Promise<Answer<I>>
}

/** A filter, ready to be run over lines. */
interface Part {
  readonly name: string
  readonly summary: string
  readonly run: (source: LineSource, opening: Opening) => AsyncIterable<string>
}

export function part<I>({ name, summary, input, exact, open }: PartRow<I>): Part {
  return {
    name,
    summary,
    run: async function* (source, opening) {
      let end = (): Promise<void> => Promise.resolve()
      try {
        const answer = await open(opening, (told) => {
          end = told
        })
        yield* filterLines(source, input, answer, exact)
      } finally {
        await end()
      }
    },
  }
}

/**
 * A JSONL filter: one line out for each line in, in order, streaming. A blank line is skipped; a
 * line that is too long, no JSON or not of the schema gives `{"error"}`.
 */
export async function* filterLines<T>(
  { lines, onBad }: LineSource,
  schema: z.ZodType<T>,
  answer: Answer<T>,
  exact: (input: T, line: string) => T = (input) => input,
): AsyncIterable<string> {
  for await (const line of lines) {
    if (line?.trim() === '') continue
    const input = parse(line, schema)
    if (!input.ok) onBad?.()
    yield input.ok ? jsonLine(await answer(exact(input.value, line ?? ''))) : failure(input.error)
  }
}

function parse<T>(line: InputLine, schema: z.ZodType<T>): Result<T, string> {
  if (line === null) return err(LINE_TOO_LONG)
  const value = parseJson(line)
  if (!value.ok) return err(`not JSON: ${value.error}`)
  const input = schema.safeParse(value.value)
  return input.success ? ok(input.data) : err(allWords(input.error, 'the line'))
}

/** Characters of the longest line that is read: 64 Mi, more than a line of any filter needs. */
const MAX_LINE = 1 << 26

/**
 * Lines of a stream, grouped as they arrive. Splits at `\n` only, because U+2028 may occur in a JSON string and
 * readline splits there. A line of more than `limit` characters costs itself: it is dropped while it is read.
 */
export async function* portionsOf(
  stream: Readable,
  limit = MAX_LINE,
): AsyncGenerator<readonly InputLine[], void, undefined> {
  stream.setEncoding('utf8')
  const line = createOpenLine(limit)
  // With an encoding set, chunks are strings.
  for await (const chunk of stream as AsyncIterable<string>) {
    // Only the chunk is searched: a line that comes in many chunks costs linear time.
    const pieces = chunk.split('\n')
    const rest = pieces.pop() ?? ''
    yield pieces.map((piece) => {
      line.add(piece)
      return line.end()
    })
    line.add(rest)
  }
  if (line.length() > 0) yield [line.end()]
}

/** The line in progress, in the pieces that came. */
function createOpenLine(limit: number) {
  let pieces: string[] = []
  let length = 0
  return {
    add(piece: string): void {
      length += piece.length
      if (length > limit) pieces = []
      else if (piece !== '') pieces.push(piece)
    },
    end(): InputLine {
      const whole = length > limit ? null : pieces.join('')
      pieces = []
      length = 0
      return whole
    },
    length: () => length,
  }
}

/** The same, line by line. */
export async function* linesOf(stream: Readable): AsyncGenerator<InputLine, void, undefined> {
  for await (const lines of portionsOf(stream)) yield* lines
}
