import { kilobytes } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'

/** The parts of a record's message. */
export function partsOf(record: unknown): readonly unknown[] {
  return listAt(own(record, 'message'), 'parts')
}

/** The text of a part; a stub for bytes; null for a call, a result, or nothing. */
export function textOf(part: unknown): string | null {
  if (typeof part === 'string') return part
  const text = own(part, 'text')
  if (typeof text === 'string') return text
  const source = own(part, 'inlineData') ?? own(part, 'fileData')
  if (!isObject(source)) return null
  const type = (textAt(source, 'mimeType') ?? 'unknown').slice(0, 60)
  const what = type.startsWith('image/') ? 'image' : 'file'
  return `[${what} ${type}${kilobytes(own(source, 'data'))}]`
}

/** [I126] Events of a model message: thoughts, texts and calls in order. */
export function saidEvents(
  record: unknown,
  origin: Origin,
  calls: ToolNames,
  skip: (type: string) => void,
): readonly EventDraft[] {
  return partsOf(record).flatMap((part): EventDraft[] => {
    const call = own(part, 'functionCall')
    if (isObject(call)) {
      const name = textAt(call, 'name')
      const id = textAt(call, 'id')
      return [callEvent({ text: compact(own(call, 'args')), name, id }, origin, calls)]
    }
    const text = textOf(part)
    if (text === null) skip(`part/${keyOf(part)}`)
    if (text === null || text.trim() === '') return []
    return [draft(own(part, 'thought') === true ? 'reasoning' : 'agent', text, origin)]
  })
}

/** The results in a record. Bytes beside a result are stubs in its text. */
export function resultEvents(
  record: unknown,
  origin: Origin,
  calls: ToolNames,
): readonly EventDraft[] {
  const parts = partsOf(record)
  const status = textAt(own(record, 'toolCallResult'), 'status')
  const stubs = parts.flatMap((part) => {
    const text = isObject(own(part, 'functionResponse')) ? null : textOf(part)
    return text === null ? [] : [text]
  })
  const results = parts.flatMap((part) => {
    const given = own(part, 'functionResponse')
    return isObject(given) ? [given] : []
  })
  return results.map((given, at) => {
    const response = own(given, 'response')
    const error = own(response, 'error')
    const inner = listAt(given, 'parts').flatMap((part) => textOf(part) ?? [])
    const text = compact(own(response, 'output') ?? error ?? response)
    const beside = at === results.length - 1 ? [...inner, ...stubs] : inner
    const result = {
      text: [text, ...beside].join('\n'),
      id: textAt(given, 'id'),
      name: textAt(given, 'name'),
      isError:
        (error !== undefined && error !== null) || status === 'error' || status === 'cancelled',
    }
    return resultEvent(result, origin, calls)
  })
}

function keyOf(part: unknown): string {
  return (isObject(part) ? Object.keys(part)[0] : undefined) ?? 'empty'
}
