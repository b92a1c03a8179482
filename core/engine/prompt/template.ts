import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja'
import { err, ok, type Result } from '../result.ts'
import type { VariableReport } from '../schema/prompt.ts'
import { reportVariables } from './variables.ts'

export interface Rendered {
  readonly text: string
  readonly variables: VariableReport
}

export type TemplateContext = Readonly<Record<string, unknown>>

const MARKS = ['{{', '{%', '{#'] as const
const MAX_RANGE = 100_000

function range(...bounds: readonly number[]): readonly number[] {
  const [start = 0, stop = 0, step = 1] = bounds.length === 1 ? [0, bounds[0] ?? 0] : bounds
  const length = step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step))
  if (length > MAX_RANGE) throw new Error(`range of ${length} is too long`)
  return Array.from({ length }, (_, index) => start + index * step)
}

/** No clock and no escape hatch: what the library adds by itself (`strftime_now`) is left out. */
const GLOBALS: TemplateContext = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  range,
}

function environment(context: TemplateContext): Environment {
  const env = new Environment()
  for (const [name, value] of Object.entries({ ...GLOBALS, ...context })) {
    env.variables.delete(name)
    env.set(name, value)
  }
  return env
}

/**
 * Renders a Jinja template. Text without a tag is returned as it is; the newline at the end stays,
 * as a segment's content is its file's. An undefined variable renders as empty text.
 */
export function renderTemplate(
  source: string,
  context: TemplateContext,
  where: string,
): Result<Rendered> {
  if (!MARKS.some((mark) => source.includes(mark)))
    return ok({ text: source, variables: reportVariables([], context) })
  try {
    // The library drops one newline at the end of a template: it is given one to drop.
    const program = parse(tokenize(source.endsWith('\n') ? `${source}\n` : source))
    const value: unknown = new Interpreter(environment(context)).run(program).value
    return ok({ text: String(value), variables: reportVariables(program.body, context) })
  } catch (error) {
    const what = `template error: ${error instanceof Error ? error.message : String(error)}`
    return err({ what, where, do: 'Correct the template, or remove the tag.' })
  }
}
