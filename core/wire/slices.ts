/**
 * Elements of one slice. A slice is read and written in a task of its own: of numbers in about a
 * millisecond, so that whoever draws can draw between two of them.
 */
const SLICE = 8192

/** A piece of a long list of an answer: the list by its place in `cut`, and its next elements. */
export interface Slice {
  readonly list: number
  readonly elements: readonly unknown[]
}

/** An answer without its long lists, where they were taken out, and their elements in order. */
interface Sliced {
  readonly rest: unknown
  /** Names of the fields on the way to each list. */
  readonly cut: ReadonlyArray<readonly string[]>
  readonly slices: readonly Slice[]
}

/**
 * [I59] Takes lists of more than 8,192 elements out of plain data, to be sent one slice after another.
 * Lists inside of lists travel with the list that they are in.
 */
export function cutSlices(value: unknown): Sliced {
  const cut: string[][] = []
  const slices: Slice[] = []
  const walk = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (!Array.isArray(part))
      return Object.fromEntries(
        Object.entries(part).map(([name, inner]) => [name, walk(inner, [...path, name])]),
      )
    if (part.length <= SLICE || path.length === 0) return part
    const list = cut.push([...path]) - 1
    for (let at = 0; at < part.length; at += SLICE)
      slices.push({ list, elements: part.slice(at, at + SLICE) })
    return []
  }
  return { rest: walk(value, []), cut, slices }
}

/** Puts collected lists back where `cutSlices` took them out; `rest` is changed and is the answer. */
export function joinSlices(
  rest: unknown,
  cut: ReadonlyArray<readonly string[]>,
  lists: readonly unknown[],
): unknown {
  for (const [at, path] of cut.entries()) {
    const holder = path.slice(0, -1).reduce<unknown>(fieldOf, rest)
    const name = path.at(-1)
    if (typeof holder === 'object' && holder !== null && name !== undefined)
      Object.assign(holder, { [name]: lists[at] ?? [] })
  }
  return rest
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // It has the field; what the field holds is not known here.
  return (value as Readonly<Record<string, unknown>>)[name]
}
