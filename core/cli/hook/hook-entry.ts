import { type Asked, askResident } from '../../host/hook/ask.ts'
import { liveFolder, residentFile } from '../../host/hook/places.ts'
import { packageVersion } from '../../version.ts'

// Entry that an agent starts at each prompt. It loads only the modules needed to query a host.

/** Maximum length of standard input, in UTF-16 units. A longer input is not a prompt. */
const MOST = 32 * 1024 * 1024

/** The answer of a host, see `HookAnswer`. */
interface Said {
  readonly out: string
  readonly problems: ReadonlyArray<{
    readonly what: string
    readonly where: string
    readonly do: string
  }>
}

/**
 * [F174] Queries the host that answers hooks and prints its answer. Returns the question if no host answered, and null
 * if nothing is left to do. [F171] Never fails. The exit code stays 0, because agents discard the prompt on exit code
 * 2.
 */
export async function askHost(): Promise<Asked | null> {
  letThrough()
  try {
    const folder = liveFolder(process.env)
    const input = await readInput()
    const args = process.argv.slice(process.argv[3] === 'answer' ? 4 : 3)
    const asked = { args, input, at: Date.now(), cwd: process.cwd(), folder }
    const said =
      folder === null ? null : await askResident(residentFile(folder), packageVersion(), asked)
    if (!isSaid(said)) return asked
    await say(said)
  } catch (error) {
    await sayFault(error)
  }
  return null
}

/** [F171] Nothing that goes wrong from here on ends the process with another code than 0. */
function letThrough(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0))
  const end = (error: unknown) => {
    void sayFault(error).finally(() => process.exit(0))
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** [F171] An unexpected error. The agent sends the prompt anyway. */
export async function sayFault(error: unknown): Promise<void> {
  await sayLine(`the hook failed, the prompt goes on: ${String(error)}`)
}

async function sayLine(line: string): Promise<void> {
  const { notice } = await import('../../host/platform/terminal.ts')
  notice(line)
}

/** Standard output for the agent, what went wrong on standard error. */
export async function say({ out, problems }: Said): Promise<void> {
  // JSON for a program, whose hostile characters are escapes already.
  if (out !== '') process.stdout.write(out)
  for (const { what, where, do: advice } of problems) await sayLine(`${where}: ${what}. ${advice}`)
}

/** Standard input, whole. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) await sayLine('waiting for a prompt as JSON on standard input')
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MOST) throw new Error(`more than ${MOST} characters came on standard input`)
  }
  return text
}

/** True for an answer of a host of this version. After any other answer the hook answers the prompt itself. */
function isSaid(value: unknown): value is Said {
  return (
    typeof value === 'object' &&
    value !== null &&
    'out' in value &&
    typeof value.out === 'string' &&
    'problems' in value &&
    Array.isArray(value.problems) &&
    value.problems.every(isProblem)
  )
}

function isProblem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { what, where, do: advice } = { what: null, where: null, do: null, ...value }
  return [what, where, advice].every((text) => typeof text === 'string')
}
