// What a call carries that a person wrote: patterns and texts with patterns in them. When the host does not
// answer any more, one of those is the reason; keys of sessions and names of presets are none.

const WRITTEN = new Set(['domainsText', 'query', 'pattern'])

/** Texts of a person in the input of a call. */
export function writtenIn(value: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return into
  for (const [name, field] of Object.entries(value) as ReadonlyArray<readonly [string, unknown]>) {
    if (typeof field === 'string' && WRITTEN.has(name)) into.add(field)
    else writtenIn(field, into)
  }
  return into
}

/** A message of the wire, as far as it is looked at here. */
interface Message {
  readonly id?: unknown
  readonly t?: unknown
  readonly p?: unknown
}

const ENDS = new Set<unknown>(['ok', 'err', 'cancel'])

/** [U128] Calls under way, and the texts whose calls the host has not survived. */
export function createBlame() {
  const open = new Map<unknown, ReadonlySet<string>>()
  const blamed = new Set<string>()
  return {
    /** Whether a message of the window may go to the host. */
    mayPass: (message: unknown): boolean => {
      const { id, t, p } = (message ?? {}) as Message
      if (t === 'open') {
        const written = writtenIn(p)
        if ([...written].some((each) => blamed.has(each))) return false
        open.set(id, written)
      } else if (ENDS.has(t)) open.delete(id)
      return true
    },
    /** A message of the host. */
    answered: (message: unknown): void => {
      const { id, t } = (message ?? {}) as Message
      if (ENDS.has(t)) open.delete(id)
    },
    /** The host is gone; whether there is a text to blame. */
    gone: (): boolean => {
      for (const written of open.values()) for (const each of written) blamed.add(each)
      const found = [...open.values()].some(({ size }) => size > 0)
      open.clear()
      return found
    },
  }
}

/** What a call is answered that carries a blamed text. */
export function refused(message: unknown): object {
  return {
    id: (message as Message).id,
    t: 'err',
    e: {
      code: 'REFUSED',
      message:
        'a pattern in this text did not end, so the workbench of this page had to be restarted',
      where: 'this page',
      do: 'Change the pattern; it is not tried again as it is',
    },
  }
}
