import { z } from 'zod'
import { type Problem, messageOf } from '../../engine/result.ts'
import { DISK_CAUSES } from './disk-causes.ts'

/** Why a receiver does not start, as it comes out of its thread. */
export const Fault = z.object({
  problem: z.string(),
  /** Of the system: EADDRINUSE. */
  code: z.string().nullable(),
  /** The failed system call: listen. */
  syscall: z.string().nullable(),
})
type Fault = z.infer<typeof Fault>

export function faultOf(error: unknown): Fault {
  const textOf = (key: 'code' | 'syscall'): string | null => {
    const value: unknown = error instanceof Error ? Reflect.get(error, key) : null
    return typeof value === 'string' ? value : null
  }
  return { problem: messageOf(error), code: textOf('code'), syscall: textOf('syscall') }
}

const OTHER_PORT =
  'choose another port with turnscope serve --otlp PORT, and set OTEL_EXPORTER_OTLP_ENDPOINT of programs that send to it'

/** User-facing causes of system errors about a port. */
const PORT_CAUSES: Readonly<Record<string, { readonly what: string; readonly do: string }>> = {
  EADDRINUSE: {
    what: 'the port of the receiver is in use by another program',
    do: `If that is a Turnscope that receives, nothing is missing: what it takes is under Live sessions here too. Else end it and try again, or ${OTHER_PORT}`,
  },
  EACCES: {
    what: 'this account may not listen at the port of the receiver',
    do: `It takes a port from 1024 on: ${OTHER_PORT}`,
  },
}

/**
 * [F147] The problem of a receiver that cannot start: what, where, and what to do.
 * @param folder of the live records
 */
export function cannotStart(
  { problem, code, syscall }: Fault,
  { port, folder }: { readonly port: number; readonly folder: string },
): Problem {
  const causes = syscall === 'listen' ? PORT_CAUSES : DISK_CAUSES
  const where = syscall === 'listen' ? `127.0.0.1:${port}` : folder
  const cause = code === null ? undefined : causes[code]
  if (cause === undefined)
    return {
      what: `the receiver cannot start (${problem})`,
      where,
      do: 'Mend that, then start it again',
    }
  if (syscall === 'listen') return { ...cause, where }
  return { what: `the receiver cannot start: ${cause.what}`, where, do: cause.do }
}
