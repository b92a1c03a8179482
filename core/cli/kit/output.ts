import { once } from 'node:events'
import { type Problem, formatProblem } from '../../engine/result.ts'
import { rewriteLine, writeText } from '../../host/platform/terminal.ts'

/** Exit codes of every command: 0 ok, 1 findings, 2 usage or input error. */
export const EXIT = { ok: 0, findings: 1, usage: 2 } as const

/** An expected failure on its way to the exit: printed as one line, without a stack. */
export class CommandError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(formatProblem(problem))
    this.name = 'CommandError'
    this.problem = problem
  }
}

/** The value of a result, or the end of the command. */
export function valueOrFail<T>(
  result:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Problem },
): T {
  if (result.ok) return result.value
  throw new CommandError(result.error)
}

/** Writes to stdout and waits while the reader is slower than we are. */
export async function print(text: string): Promise<void> {
  if (!writeText('stdout', text)) await once(process.stdout, 'drain')
}

/** One line that is rewritten in place during work. Does nothing if stderr is not a terminal. */
export function createMeter(): { show(text: string): void; clear(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, clear: () => undefined }
  let last = 0
  return {
    show: (text) => {
      const now = performance.now()
      if (now - last < 100) return
      last = now
      rewriteLine(text)
    },
    clear: () => rewriteLine(''),
  }
}
