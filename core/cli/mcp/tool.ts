import { z } from 'zod'
import { formatProblem } from '../../engine/result.ts'
import { fieldWords } from '../../engine/schema/issue-words.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import { visible } from '../../host/platform/terminal.ts'
import { RpcError } from '../../wire/rpc.ts'
import { CommandError } from '../kit/output.ts'
import type { Desk } from './desk.ts'

/** Metadata of a tool in addition to its schemas. */
interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Nothing here reaches beyond this machine. */
  readonly openWorldHint: false
}
/** Of tools that change nothing. */
export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The answer of a tool: data, and the same as text. */
interface Answered<O> {
  readonly value: O
  readonly text: string
}

interface ToolRow<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: I
  readonly output: O
  readonly hints: Hints
  readonly run: (desk: Desk, input: z.output<I>, waiting: Waiting) => Promise<Answered<z.input<O>>>
}

/** The wire format of a call's result. */
type ToolResult = {
  content: Array<{ type: 'text'; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** A tool, ready to be listed and called. */
export interface AnyTool {
  readonly name: string
  /** Its row of `tools/list`. */
  readonly listing: () => {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: JsonObject
    readonly outputSchema: JsonObject
    readonly annotations: Hints & { readonly title: string }
  }
  call(desk: Desk, args: unknown, waiting: Waiting): Promise<ToolResult>
}
type JsonObject = { readonly type: 'object'; readonly [key: string]: unknown }

/** [F156] Schemas are those that arguments are parsed with: nothing is written twice. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonObject {
  const made = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Bounds of every whole number tell an agent nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  // The dialect is said once, by the protocol.
  return { ...made, $schema: undefined, type: 'object' }
}

/** A tool from its row. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(row: ToolRow<I, O>): AnyTool {
  const { name, title, description, input, output, hints, run } = row
  return {
    name,
    listing: () => ({
      name,
      title,
      description,
      inputSchema: schemaOf(input, 'input'),
      outputSchema: schemaOf(output, 'input'),
      annotations: { title, ...hints },
    }),
    call: (desk, args, waiting) =>
      withFailures(async () => {
        const parsed = input.safeParse(args ?? {})
        if (!parsed.success) {
          const what = fieldWords(parsed.error.issues[0], 'the arguments')
          const advice = `${name} takes ${Object.keys(input.shape).join(', ')}`
          throw new CommandError({ what, where: name, do: advice })
        }
        const { value, text } = await run(desk, parsed.data, waiting)
        return {
          content: [{ type: 'text', text: visible(text) }],
          structuredContent: cleaned(value) as Record<string, unknown>, // the same shape
        }
      }, waiting.signal),
  }
}

/** [F12] [F158] Texts of strangers without characters that hide or steer. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, cleaned(own)]))
}

/**
 * [F156] An expected failure becomes an answer that states the problem and the remedy. A cancelled call has no answer.
 */
async function withFailures(
  work: () => Promise<ToolResult>,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    return failure(wordsOf(error))
  }
}

export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text: visible(text) }], isError: true }
}

function wordsOf(error: unknown): string {
  if (error instanceof CommandError) return formatProblem(error.problem)
  if (error instanceof RpcError) {
    const { what, where = 'turnscope', do: advice = 'Try again' } = error
    return formatProblem({ what, where, do: advice })
  }
  // Of a fault of ours a stack would tell an agent about this machine, and nothing that it can mend.
  const text = error instanceof Error ? error.message : String(error)
  return `a fault of Turnscope, please report it: ${text}`
}
