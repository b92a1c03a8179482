/**
 * Runs in the page, as text: each function is serialised, so it may use nothing outside itself.
 * Two worlds of one document, joined by synchronous DOM events whose `detail` the browser clones
 * between worlds: calls go from the page's world to the preload's, callbacks the other way.
 */

interface Exposed {
  readonly key: string
  readonly functions: readonly string[]
}

interface Call {
  readonly target: string
  readonly number: number
  readonly args: readonly unknown[]
}

interface Answer {
  readonly number: number
  readonly value?: unknown
  readonly error?: string
}

interface Callback {
  readonly callback: number
  readonly args: readonly unknown[]
}

/** The page's half of contextBridge: frozen stubs under the exposed key. */
export function mainWorld(secret: string): void {
  const callbacks = new Map<number, (...args: readonly unknown[]) => unknown>()
  let last = 0
  const listen = <T>(kind: string, on: (detail: T) => void) =>
    window.addEventListener(secret + kind, (event) => on((event as CustomEvent<T>).detail))
  const encode = (value: unknown): unknown => {
    if (typeof value !== 'function') return value
    last += 1
    callbacks.set(last, value as (...args: readonly unknown[]) => unknown)
    return { callback: last }
  }
  const answers: Answer[] = []
  listen<Answer>('answer', (answer) => {
    answers.push(answer)
  })
  const stub =
    (target: string) =>
    (...args: readonly unknown[]): unknown => {
      last += 1
      const detail: Call = { target, number: last, args: structuredClone(args.map(encode)) }
      window.dispatchEvent(new CustomEvent(secret + 'call', { detail }))
      const answer = answers.pop()
      if (answer?.number !== detail.number) throw new Error('electron double: no answer')
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.value
    }
  listen<Exposed>('expose', ({ key, functions }) => {
    if (key in window) throw new Error(`Cannot bind an API on top of an existing property: ${key}`)
    const api = Object.fromEntries(functions.map((name) => [name, stub(`${key}.${name}`)]))
    Object.defineProperty(window, key, { value: Object.freeze(api), enumerable: true })
  })
  listen<Callback>('callback', ({ callback, args }) => {
    callbacks.get(callback)?.(...args)
  })
}

type Preload = (scope: {
  require: (id: string) => unknown
  module: { exports: object }
  exports: object
}) => void

/** The preload's half: only the modules that a sandboxed preload may require. */
export function preloadWorld(secret: string, binding: string, preload: Preload): void {
  const globals = globalThis as unknown as Record<string, (text: string) => void>
  const toMain = globals[binding]
  if (!toMain) throw new Error('electron double: the binding is missing')
  const api = new Map<string, (...args: readonly unknown[]) => unknown>()
  const listeners = new Map<string, Array<(event: object, ...args: readonly unknown[]) => void>>()
  const emit = (kind: string, detail: object) => {
    window.dispatchEvent(new CustomEvent(secret + kind, { detail }))
  }
  const named = (name: string, members: object): unknown =>
    new Proxy(members, {
      get: (object, key): unknown => {
        if (key in object) return Reflect.get(object, key)
        throw new Error(`electron double: ${name}.${String(key)} is not modelled`)
      },
    })
  const decode = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('callback' in value)) return value
    const { callback } = value
    return (...args: readonly unknown[]) => emit('callback', { callback, args })
  }

  window.addEventListener(secret + 'call', (event) => {
    const { target, number, args } = (event as CustomEvent<Call>).detail
    try {
      const value = api.get(target)?.(...args.map(decode))
      if (value instanceof Promise) throw new Error('electron double: a promise is not modelled')
      emit('answer', { number, value })
    } catch (error) {
      emit('answer', { number, error: String(error) })
    }
  })
  globals['turnscopeDoubleDeliver'] = (text) => {
    const { channel, args } = JSON.parse(text) as { channel: string; args: readonly unknown[] }
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args)
  }

  const electron = named('electron (preload)', {
    contextBridge: named('contextBridge', {
      exposeInMainWorld: (key: string, members: Record<string, unknown>) => {
        for (const [name, member] of Object.entries(members)) {
          if (typeof member !== 'function') throw new Error(`${key}.${name} is not a function`)
          api.set(`${key}.${name}`, member as (...args: readonly unknown[]) => unknown)
        }
        emit('expose', { key, functions: Object.keys(members) })
      },
    }),
    ipcRenderer: named('ipcRenderer', {
      send: (channel: string, ...args: readonly unknown[]) =>
        toMain(JSON.stringify({ channel, args })),
      on: (channel: string, listener: (event: object, ...args: readonly unknown[]) => void) => {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      },
    }),
    webUtils: named('webUtils', {
      // A file that a script made is on no disk; Electron answers '' for it, and no other exists here.
      getPathForFile: (file: unknown) => {
        if (!(file instanceof File)) throw new TypeError('getPathForFile wants a File')
        return ''
      },
    }),
  })
  const module = { exports: {} }
  preload({
    require: (id) => {
      if (id === 'electron') return electron
      throw new Error(`sandboxed preload: module not found: ${id}`)
    },
    module,
    exports: module.exports,
  })
}
