import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { TurnscopeContract } from '../core/wire/contract.ts'
import { keyOf } from '../fixtures/key.ts'
import { SUBPROTOCOL } from '../core/host/windows/main/loopback.ts'
import { type Client, connect } from '../core/wire/rpc.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A dedicated `turnscope serve`. */
interface BenchServer {
  readonly url: string
  readonly pid: number
  /** Peak resident memory so far, in bytes, over all threads; 0 if the system does not report it. */
  readonly peak: () => number
  /** Milliseconds of processor time so far, over all threads; 0 if the system does not report it. */
  readonly cpu: () => number
  readonly stop: () => void
}

export async function startServer(
  workspace: string,
  file?: string,
  root?: string,
): Promise<BenchServer> {
  const named = file === undefined ? [] : [file]
  const page = root === undefined ? [] : ['--root', root]
  const server = spawn(
    process.execPath,
    [join(ROOT, 'bin/turnscope.cjs'), 'serve', ...named, ...page, '--workspace', workspace],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/u.exec(chunk.toString('utf8'))
      if (found) resolve(found[0])
    })
    server.once('exit', (code) => reject(new Error(`serve ended with ${code ?? 'a signal'}`)))
  })
  const pid = server.pid ?? 0
  return { url, pid, peak: () => peakOf(pid), cpu: () => cpuOf(pid), stop: () => server.kill() }
}

/** A tick of the system's count: all systems that have `/proc` say 100 a second. */
const TICK_MS = 10

function cpuOf(pid: number): number {
  try {
    // Behind the name in brackets, which may hold blanks: user and system time are fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

function peakOf(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** The contract's client, as a page has it. */
export async function connectTo(
  url: string,
): Promise<{ readonly client: Client<TurnscopeContract>; readonly close: () => void }> {
  const { origin } = new URL(url)
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}/rpc`,
    [SUBPROTOCOL, await keyOf(url)],
    {
      headers: { origin },
      maxPayload: 512 << 20,
    },
  )
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const client = connect<TurnscopeContract>({
    post: (message) => socket.send(JSON.stringify(message)),
    onMessage: (listener) => {
      socket.on('message', (data: Buffer) => listener(JSON.parse(data.toString('utf8'))))
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
  })
  return {
    client,
    close: () => socket.close(),
  }
}
