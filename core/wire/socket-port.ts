import type { Port } from './rpc.ts'
import { type Wire, isWire } from './messages.ts'

/** Bytes that the server takes in one message: a longer one would end the connection. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024

/** A WebSocket of any implementation. */
interface TextSocket {
  readonly isOpen: () => boolean
  readonly send: (text: string) => void
  readonly onText: (listener: (text: string) => void) => void
  readonly onClose: (listener: () => void) => void
}

/**
 * [U65] A window's side of a socket. A call that is too large for one message is answered here with a
 * refusal; sent, it would cost the connection and every call that waits for an answer.
 */
export function socketPort(socket: TextSocket): Port {
  const listeners: Array<(message: unknown) => void> = []
  return {
    post: (message) => {
      if (!socket.isOpen()) return
      const text = JSON.stringify(message)
      if (isWire(message) && isTooLong(text)) {
        queueMicrotask(() => {
          for (const listener of listeners) listener(refusalOf(message.id))
        })
      } else socket.send(text)
    },
    onMessage: (listener) => {
      listeners.push(listener)
      socket.onText((text) => listener(JSON.parse(text)))
    },
    onClose: socket.onClose,
  }
}

function isTooLong(text: string): boolean {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= MAX_MESSAGE_BYTES) return false
  return new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES
}

function refusalOf(id: number): Wire {
  const message = `this is more than the ${MAX_MESSAGE_BYTES / 1024 ** 2} MB that the host takes at once`
  const advice = { where: 'the text that you sent', do: 'Make it shorter, or save it as a file' }
  return { id, t: 'err', e: { code: 'REFUSED', message, ...advice } }
}
