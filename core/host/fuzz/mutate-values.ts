import type { Mutation } from './mutation.ts'
import type { Random } from './random.ts'

interface JsonObject {
  [key: string]: Json
}
type Json = null | boolean | number | string | Json[] | JsonObject

/** Changes a value somewhere in a record: its type, its size, its depth, its key. */
export const mutateValue: Mutation = (bytes, random) =>
  onRecord(bytes, random, (value) => changeAt(value, random, 0))

/** Sets one id to another of the same file: duplicates, wrong parents, cycles. */
export const swapIds: Mutation = (bytes, random) => {
  const text = bytes.toString('utf8')
  const ids = [
    ...text.matchAll(
      /"([\w.]*(?:id|uuid|parent|parentUuid|call)[\w.]*)"\s*:\s*("[^"\\]{1,80}"|\d{1,15}|null)/gi,
    ),
  ]
  if (ids.length < 2) return bytes
  const [target, other] = [random.pick(ids), random.pick(ids)]
  const value = target[0].slice(0, target[0].length - (target[2] ?? '').length)
  const from = target.index
  const changed =
    text.slice(0, from) + value + (other[2] ?? '') + text.slice(from + target[0].length)
  return Buffer.from(changed)
}

/** The whole document, or one of the lines. */
function onRecord(bytes: Buffer, random: Random, change: (value: Json) => Json): Buffer {
  const text = bytes.toString('utf8')
  const whole = text.length < 200_000 && random.below(2) === 0 ? parsed(text) : undefined
  if (whole !== undefined) return Buffer.from(written(change(whole), random))
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const value = parsed(lines[at] ?? '')
  if (value !== undefined)
    return Buffer.from(lines.with(at, JSON.stringify(change(value))).join('\n'))
  const document = parsed(text)
  return document === undefined ? bytes : Buffer.from(written(change(document), random))
}

function written(value: Json, random: Random): string {
  const line = JSON.stringify(value)
  // Indented, a deep value would be megabytes of blanks.
  return line.length > 200_000 || /\[{60}|(?:\{"content":){60}/.test(line)
    ? line
    : JSON.stringify(value, null, random.below(3))
}

function parsed(text: string): Json | undefined {
  if (text === '') return undefined
  try {
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function changeAt(value: Json, random: Random, depth: number): Json {
  const stay = depth > 0 && random.below(4) === 0
  if (typeof value !== 'object' || value === null || stay || depth > 12) return other(value, random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(6) === 0) return changedList(value, random)
    const at = random.below(value.length)
    return value.with(at, changeAt(value[at] ?? null, random, depth + 1))
  }
  const keys = Object.keys(value)
  if (keys.length === 0 || random.below(6) === 0) return changedObject(value, keys, random)
  const key = random.pick(keys)
  return { ...value, [key]: changeAt(value[key] ?? null, random, depth + 1) }
}

function changedList(list: Json[], random: Random): Json {
  const at = random.below(list.length)
  const item = list[at] ?? null
  return random.pick([
    list.toSpliced(at, 1),
    list.toSpliced(at, 0, item),
    [list],
    list.toReversed(),
    [],
  ])
}

function changedObject(value: JsonObject, keys: readonly string[], random: Random): Json {
  const key = keys[random.below(keys.length)] ?? 'x'
  const { [key]: removed = null, ...rest } = value
  const named = random.pick([
    '__proto__',
    'constructor',
    'toString',
    'type',
    'id',
    'role',
    'content',
    'text',
  ])
  const added = JSON.parse(`{${JSON.stringify(named)}:${JSON.stringify(removed)}}`) as Record<
    string,
    Json
  >
  return random.pick<Json>([rest, Object.assign(rest, added), [value], { [key]: value }])
}

/** A value of another type, or of an unusual size. */
function other(value: Json, random: Random): Json {
  return random.pick<() => Json>([
    () => null,
    () => true,
    () => -1,
    () => 1e308,
    () => 2 ** 53 + 2,
    () => '',
    () => 'x',
    () => '__proto__',
    () => [],
    () => ({}),
    () => [value],
    () => ({ value }),
    () => JSON.stringify(value).repeat(1 + random.below(3)),
    () => 'A'.repeat(2_000 + random.below(20_000)),
    // More than the host reads of a document before it looks.
    () => 'B'.repeat(random.below(8) === 0 ? 1_100_000 : 1),
    () => '\ud800 lone',
    () => '2026-13-45T99:00:00Z',
    () => nested(random.pick([3, 30, 1_000, 3_000]), random),
    () => JSON.stringify(value),
  ])()
}

function nested(depth: number, random: Random): Json {
  let value: Json = 'deep'
  const asList = random.below(2) === 0
  for (let at = 0; at < depth; at += 1) value = asList ? [value] : { content: value }
  return value
}
