/** Test helper: PGlite behind a socket, so that the real client speaks the real wire protocol to it. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'

export interface PgBridge {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Length of the first complete message; 0 = more has to come. Startup messages have no type byte. */
function messageLength(bytes: Buffer, isStartup: boolean): number {
  const head = isStartup ? 0 : 1
  if (bytes.length < head + 4) return 0
  const length = head + bytes.readUInt32BE(head)
  return bytes.length < length ? 0 : length
}

/** A server on the loopback interface over an empty database. One client at a time. */
export async function startPgBridge(): Promise<PgBridge> {
  const database = await PGlite.create({ extensions: { vector } })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // Answers are small: they would wait for one another.
    socket.setNoDelay(true)
    let waiting = Buffer.alloc(0)
    let isStartup = true
    let last: Promise<unknown> = Promise.resolve()
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      waiting = Buffer.concat([waiting, data])
      for (let size; (size = messageLength(waiting, isStartup)) > 0;) {
        const message = Uint8Array.from(waiting.subarray(0, size))
        waiting = waiting.subarray(size)
        isStartup = false
        // 'X': the client says goodbye. The database stays.
        if (message[0] === 0x58) return void socket.end()
        last = last
          .then(() => database.execProtocolRaw(message))
          .then((answer) => socket.write(answer))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}
