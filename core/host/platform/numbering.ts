const NUMBERS: ReadonlySet<string> = new Set(['turn', 'since'])

/**
 * [B17] The engine counts turns from 0. People, links, labels on screen and every output of the command
 * line, `--json` too, count them from 1: a number that one command prints is the number that another
 * one takes. `seq` is no number of a turn: it is the id of an event in labels and files, from 0.
 */
export function numberedFromOne<T>(value: T): T {
  return renumbered(value) as T // the same shape, with other numbers
}

function renumbered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renumbered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, own]): [string, unknown] => [
      key,
      NUMBERS.has(key) && typeof own === 'number' ? own + 1 : renumbered(own),
    ]),
  )
}
