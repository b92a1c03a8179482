import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

/** Resources used by a process, including its threads. It starts no other process. */
export interface WatchedRun {
  readonly clock: number
  /** Seconds of processor time, as far as the system says. */
  readonly processor: number
  /** Largest resident size, MB. */
  readonly peak: number
  readonly code: number | null
  readonly said: string
}

const LOOK_MS = 20
/** Ticks of processor time a second: fixed where Node runs on Linux. */
const TICKS = 100

function look(pid: number | undefined): { readonly processor: number; readonly peak: number } {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    const peak = Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024
    const stat = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
    // Behind the name, which may have anything in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { processor: (Number(fields[11]) + Number(fields[12])) / TICKS, peak }
  } catch {
    return { processor: 0, peak: 0 }
  }
}

/** Runs the command line to its end and measures it. `output`: a file for its output. */
export async function watchedRun(
  cli: string,
  args: readonly string[],
  { input, output }: { readonly input?: string; readonly output?: string } = {},
): Promise<WatchedRun> {
  const stdin = input === undefined ? null : openSync(input, 'r')
  const stdout = output === undefined ? null : openSync(output, 'w')
  const start = performance.now()
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: [stdin ?? 'ignore', stdout ?? 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close') as Promise<[number | null]>
  let processor = 0
  let peak = 0
  while (child.exitCode === null && child.signalCode === null) {
    const now = look(child.pid)
    processor = Math.max(processor, now.processor)
    peak = Math.max(peak, now.peak)
    await Promise.race([ended, after(LOOK_MS)])
  }
  const [code] = await ended
  for (const file of [stdin, stdout]) if (file !== null) closeSync(file)
  return { clock: (performance.now() - start) / 1000, processor, peak, code, said }
}
