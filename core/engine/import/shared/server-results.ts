import { asText, compact, isList, isObject, own } from './guards.ts'

interface ServerResult {
  readonly text: string
  readonly isError: boolean
}

/**
 * [I105] What a tool of the provider answered: what a program printed, a plain text, or the result as
 * JSON. An exit code other than 0 and a result whose type ends in `_error` are errors.
 */
export function serverResult(content: unknown): ServerResult {
  if (isList(content))
    return { text: content.map((item) => textOf(item)).join('\n'), isError: content.some(failed) }
  return { text: textOf(content), isError: failed(content) }
}

function failed(content: unknown): boolean {
  const code = own(content, 'return_code')
  if (typeof code === 'number' && code !== 0) return true
  return asText(own(content, 'type'))?.endsWith('_error') === true
}

function textOf(content: unknown): string {
  if (!isObject(content)) return compact(content)
  const { stdout, stderr, type, content: files, return_code: code, ...others } = content
  // What a program printed, unless something stands beside it that would be lost.
  const rest = Object.values(others).some((value) => value !== null)
  const printed = typeof stdout === 'string' && !rest && !(isList(files) && files.length > 0)
  if (printed) {
    const text = [stdout, asText(stderr) ?? ''].filter((part) => part !== '').join('\n')
    return text === '' && code !== undefined ? `exit code ${compact(code)}` : text
  }
  const { text, ...beside } = others
  const plain = typeof text === 'string' && Object.keys(beside).length === 0
  return plain && type !== undefined && stdout === undefined && files === undefined
    ? text
    : shown(content)
}

/** As JSON, with a placeholder for bytes and for what only the provider can read. */
function shown(content: unknown): string {
  try {
    return JSON.stringify(content, (key, value: unknown) => {
      if (typeof value === 'string' && key.startsWith('encrypted_')) return stub('encrypted', value)
      if (key !== 'source' || own(value, 'type') !== 'base64' || !isObject(value)) return value
      return { ...value, data: stub('base64', compact(value['data'])) }
    })
  } catch {
    return compact(content)
  }
}

function stub(what: string, bytes: string): string {
  return `[${what}, ${Math.ceil(bytes.length / 1000)} kB]`
}
