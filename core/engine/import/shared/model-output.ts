import { asText, compact, has, isList, own, textAt } from './guards.ts'
import { stub } from './said.ts'

/**
 * [I130] Text of a `tool-result` part of a model message. Its output names its type (`{type: "json", value}`), or is a
 * value next to `isError` (older versions).
 */
export function modelOutput(part: unknown): { readonly text: string; readonly isError: boolean } {
  const output = own(part, 'output')
  const type = textAt(output, 'type')
  if (type === null) {
    const value = own(part, 'result') ?? output
    return { text: compact(value), isError: own(part, 'isError') === true }
  }
  if (type === 'execution-denied')
    return { text: textAt(output, 'reason') ?? 'denied', isError: true }
  const value = own(output, 'value')
  const text = isList(value) && type === 'content' ? value.map(itemText).join('\n') : compact(value)
  return { text, isError: type.startsWith('error') }
}

/** Text of an item of an output; bytes are a stub. */
function itemText(item: unknown): string {
  const text = asText(own(item, 'text'))
  if (text !== null) return text
  const type = textAt(item, 'type')
  return has(item, 'data') || has(item, 'url') ? fileStub(type ?? 'file', item) : compact(item)
}

/** The type and name of a file, and its address unless that holds the file's bytes. */
export function fileStub(what: string, part: unknown): string {
  const link = textAt(part, 'url', 'data', 'image')
  const shown = link === null || !/^https?:/u.test(link) ? null : link
  const type = textAt(part, 'mediaType', 'mimeType', 'contentType')
  return stub(what, type, textAt(part, 'filename', 'name'), shown)
}
