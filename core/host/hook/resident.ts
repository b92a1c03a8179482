import { randomBytes } from 'node:crypto'
import { type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../engine/result.ts'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'
import { mkdtempSync, rm, rmSync } from '../platform/files/fenced-fs.ts'
import { makePrivate } from '../platform/files/private-folder.ts'
import { textIfThere } from '../platform/files/regular-file.ts'
import { jsonAs } from '../platform/json.ts'
import type { HookAnswerer } from './answer.ts'
import { parseHookArguments } from './arguments.ts'
import { SOCKET_FOLDER, removeLeftFolders } from './left-folders.ts'
import { residentFile } from './places.ts'
import { keepProblems } from './problems.ts'

/** The request of a hook: one line of JSON. The answer is `{out, problems}`, also one line. */
const Question = z.object({
  token: z.string(),
  args: z.array(z.string()),
  input: z.string(),
  at: z.number(),
  cwd: z.string(),
  folder: z.string().nullable(),
})

/** Bytes of a question; a prompt is never that long. */
const MOST_BYTES = 64 * 1024 * 1024

/** A host that answers hooks. */
export interface Resident {
  readonly close: () => Promise<void>
}

interface Given {
  /** As `liveFolder` gives it. */
  readonly folder: string
  readonly version: string
  readonly answerer: HookAnswerer
}

/**
 * [F174] Listens for hooks of this account on a private socket. An owner-only file holds the socket's name and a
 * secret. Rejects if the socket or the file cannot be created.
 */
export async function startResident({ folder, version, answerer }: Given): Promise<Resident> {
  const token = randomBytes(24).toString('base64url')
  // Folders that cannot be removed do not prevent answering.
  if (process.platform !== 'win32') await removeLeftFolders().catch(() => undefined)
  const { path, leave } = socketPlace()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serveOne(socket, async (line) => {
      const question = jsonAs(Question, line)
      if (question?.token !== token) return null
      const call = parseHookArguments(question.args, question)
      if (!call.ok) return { out: '', problems: [call.error] }
      const said = await answerer.answer(call.value)
      await keepProblems(question.folder, call.value, said.problems)
      return said
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  const usual = parseHookArguments([], { input: '', at: 0, cwd: folder, folder })
  if (usual.ok) await answerer.prepare(usual.value)
  await makePrivate(folder)
  const place = { socket: path, token, version, pid: process.pid }
  await writeFileAtomic(residentFile(folder), JSON.stringify(place), { isPrivate: true })
  return {
    close: async () => {
      await leaveFile(folder, token)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      leave()
    },
  }
}

/** Another host may have taken over in the meantime. */
async function leaveFile(folder: string, token: string): Promise<void> {
  const text = await textIfThere(residentFile(folder))
  if (text?.ok === true && text.value.includes(token))
    await rm(residentFile(folder), { force: true })
}

/** An unpredictable name, in a folder that only this account may enter. */
function socketPlace(): { readonly path: string; readonly leave: () => void } {
  if (process.platform === 'win32') {
    const name = randomBytes(18).toString('hex')
    return { path: String.raw`\\.\pipe\turnscope-hook-${name}`, leave: () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), SOCKET_FOLDER))
  return {
    path: join(folder, 's'),
    leave: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Reads one line, writes the answer, and closes. A client without the token gets no answer. */
function serveOne(socket: Socket, answer: (line: string) => Promise<object | null>): void {
  const chunks: Buffer[] = []
  let size = 0
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_BYTES) {
      socket.destroy()
      return
    }
    const end = chunk.indexOf(10)
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end))
    if (end < 0) return
    socket.pause()
    const line = Buffer.concat(chunks).toString('utf8')
    answer(line)
      .catch((error: unknown) => ({ out: '', problems: [faultOf(error)] }))
      .then((said) => {
        if (said === null) socket.destroy()
        else socket.end(`${JSON.stringify(said)}\n`)
      })
      .catch(() => socket.destroy())
  })
}

function faultOf(error: unknown) {
  return {
    what: `a fault of Turnscope (${messageOf(error)})`,
    where: 'the host that answers hooks',
    do: 'Please report it',
  }
}
