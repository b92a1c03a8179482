import { asText, compact, isObject, own, textAt } from '../shared/guards.ts'
import { call, result, stub, thought, words, type PartReader, type Said } from '../shared/said.ts'

type Take = (member: unknown, part: unknown) => readonly Said[]

const callOf: Take = (made) => [
  call(textAt(made, 'name'), textAt(made, 'id'), own(made, 'args') ?? own(made, 'partialArgs')),
]

const responseOf: Take = (given) => {
  const response = own(given, 'response')
  const error = own(response, 'error')
  const single = isObject(response) && Object.keys(response).length === 1
  const value = single ? (error ?? own(response, 'output') ?? own(response, 'result')) : undefined
  const isError = error !== undefined && error !== null && error !== false
  const text = compact(value ?? response)
  return [result(textAt(given, 'name'), textAt(given, 'id'), text, isError)]
}

const bytesOf: Take = (data) => {
  const type = textAt(data, 'mimeType', 'mime_type')
  const what = type?.startsWith('image/') === true ? 'image' : 'file'
  return [
    words(stub(what, type, textAt(data, 'displayName', 'display_name', 'fileUri', 'file_uri'))),
  ]
}

const codeOf: Take = (code) => [
  call('code_execution', textAt(code, 'id'), textAt(code, 'code') ?? code),
]

const ranOf: Take = (ran) => {
  const isError = !(textAt(ran, 'outcome') ?? 'OUTCOME_OK').endsWith('OK')
  return [result('code_execution', textAt(ran, 'id'), textAt(ran, 'output') ?? '', isError)]
}

/** [I191] Members of a part of the Gemini API, as JSON and as Python write them. */
const MEMBERS: ReadonlyArray<readonly [names: readonly string[], take: Take]> = [
  [['functionCall', 'function_call'], callOf],
  [['functionResponse', 'function_response'], responseOf],
  [['inlineData', 'inline_data'], bytesOf],
  [['fileData', 'file_data'], bytesOf],
  [['executableCode', 'executable_code'], codeOf],
  [['codeExecutionResult', 'code_execution_result'], ranOf],
]

/** [I191] A part of content of the Gemini API. */
export const readGeminiPart: PartReader = (part) => {
  const plain = asText(part)
  if (plain !== null) return [words(plain)]
  if (!isObject(part)) return 'untyped'
  for (const [names, take] of MEMBERS) {
    const member = names.map((name) => own(part, name)).find(isObject)
    if (member !== undefined) return take(member, part)
  }
  const text = own(part, 'text')
  if (typeof text === 'string')
    return own(part, 'thought') === true ? [thought(text)] : [words(text)]
  // A part may hold nothing but the signature of a thought.
  if (['thoughtSignature', 'thought_signature', 'text'].some((key) => key in part))
    return [words('')]
  return Object.keys(part).find((key) => own(part, key) !== null) ?? 'empty'
}

const PART_NAMES: readonly string[] = ['text', 'thought', ...MEMBERS.flatMap(([names]) => names)]

/** Whether a value is `{role, parts}` with parts of the Gemini API. */
export function isGeminiContent(value: unknown): boolean {
  const parts = own(value, 'parts')
  if (!Array.isArray(parts) || parts.length === 0) return false
  return parts.every(
    (part) =>
      isObject(part) && own(part, 'type') === undefined && PART_NAMES.some((name) => name in part),
  )
}
