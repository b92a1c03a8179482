import { createConnection } from 'node:net'
import { readTextSync } from '../platform/files/regular-file.ts'

// Loaded at each prompt, before anything else: nothing is imported here that takes time.

/** The request of a hook to a running host. */
export interface Asked {
  readonly args: readonly string[]
  readonly input: string
  readonly at: number
  readonly cwd: string
  readonly folder: string | null
}

interface Place {
  readonly socket: string
  readonly token: string
}

/** Milliseconds after which a hook does without the host. */
const PATIENCE_MS = 5000

/**
 * [F174] The answer of the host that answers hooks. Null if no host runs, it has a different version, or it does not
 * answer.
 * @param file as `residentFile` gives it
 * @param version of this program
 */
export async function askResident(file: string, version: string, asked: Asked): Promise<unknown> {
  const place = placeIn(file, version)
  if (place === null) return null
  try {
    const line = await exchange(place.socket, JSON.stringify({ ...asked, token: place.token }))
    return line === null ? null : JSON.parse(line)
  } catch {
    return null
  }
}

/** Reads the host's address from our owner-only file. Any other content gives null. */
function placeIn(file: string, version: string): Place | null {
  try {
    const place: unknown = JSON.parse(readTextSync(file))
    if (typeof place !== 'object' || place === null) return null
    const { socket, token, version: other } = { socket: '', token: '', version: '', ...place }
    return typeof socket === 'string' && typeof token === 'string' && other === version
      ? { socket, token }
      : null
  } catch {
    return null
  }
}

function exchange(path: string, line: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    const chunks: Buffer[] = []
    const end = (answer: string | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    socket.on('error', () => end(null))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      end(text.endsWith('\n') ? text : null)
    })
    socket.write(`${line}\n`)
  })
}
