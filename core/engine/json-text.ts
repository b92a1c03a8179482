/** Pending output: a finished text, or a value. */
type Part = { readonly text: string } | { readonly value: unknown }

/**
 * [I62] A value as JSON text, at any depth. JSON.parse reads a hundred thousand levels, but JSON.stringify overflows
 * the stack on them. The text is then written without recursion.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return withoutStack(value)
    throw error
  }
}

/** The same for values that JSON.parse made: nothing in them but objects, lists and plain values. */
function withoutStack(value: unknown): string {
  const written: string[] = []
  const left: Part[] = [{ value }]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if ('text' in part) written.push(part.text)
    else if (typeof part.value !== 'object' || part.value === null) {
      written.push(JSON.stringify(part.value ?? null))
    } else {
      // The last comes first off the stack.
      for (const inner of partsOf(part.value).toReversed()) left.push(inner)
    }
  }
  return written.join('')
}

function partsOf(value: object): Part[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, at): Part[] => [
      ...(at === 0 ? [] : [{ text: ',' }]),
      { value: item },
    ])
    return [{ text: '[' }, ...items, { text: ']' }]
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .flatMap(([name, field], at): Part[] => [
      { text: `${at === 0 ? '' : ','}${JSON.stringify(name)}:` },
      { value: field },
    ])
  return [{ text: '{' }, ...fields, { text: '}' }]
}
