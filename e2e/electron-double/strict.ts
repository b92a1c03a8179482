import { EventEmitter } from 'node:events'

/** Access to a member that the double does not model throws an error with its name, never a silent `undefined`. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get: (object, key, receiver): unknown => {
      // Symbols are Node's own bookkeeping; `then` is asked of everything that is awaited.
      if (typeof key === 'symbol' || key === 'then' || key in object) {
        return Reflect.get(object, key, receiver)
      }
      throw new Error(`electron double: ${name}.${key} is not modelled`)
    },
  })
}

/** An emitter with members; listening to an event that it never fires is an error too. */
export function strictEmitter<T extends object>(
  name: string,
  events: readonly string[],
  members: T,
): T & EventEmitter {
  const emitter = new EventEmitter()
  emitter.on('newListener', (event: string) => {
    if (!events.includes(event) && event !== 'newListener') {
      throw new Error(`electron double: ${name} never fires "${event}"`)
    }
  })
  return strict(name, Object.assign(emitter, members))
}

export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`electron double: ${message}`)
}

/** An event as listeners receive it, with their response. */
export interface Preventable {
  preventDefault(): void
  defaultPrevented: boolean
}

export function preventable<T extends object>(details: T): T & Preventable {
  const event: T & Preventable = {
    ...details,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true
    },
  }
  return event
}

/**
 * Electron's IPC is structured clone, the double's wire is JSON: what JSON would change is an error.
 * An `undefined` property is let through, being the same as none to every reader here.
 */
export function assertJsonSafe(value: unknown, where: string): void {
  if (value === null || ['string', 'boolean', 'undefined'].includes(typeof value)) return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      must(item !== undefined, `${where}[${index}] is undefined, which JSON changes`)
      assertJsonSafe(item, `${where}[${index}]`)
    }
    return
  }
  const isPlain = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  must(isPlain, `${where} is not JSON-safe: ${Object.prototype.toString.call(value)}`)
  for (const [key, item] of Object.entries(value)) assertJsonSafe(item, `${where}.${key}`)
}
