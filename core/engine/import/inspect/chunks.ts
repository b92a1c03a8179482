import type { SourceRef } from '../../schema/event.ts'
import { isList, isObject, own } from '../shared/guards.ts'
import type { RawRecord } from '../source.ts'
import { fromPool } from './attachments.ts'
import type { Sample } from './sample.ts'

/** [I30] Samples whose parts are separate members: `samples/<id>_epoch_<n>/{sample.json, events/0.json, …}`. */
const PART = /^(samples\/.+_epoch_\d+)\/(sample\.json|(messages|events|attachments)\/(\d+)\.json)$/

/** Parts in the order in which they are read: what others refer to comes first. */
const ORDER: readonly string[] = ['sample', 'attachments', 'messages', 'events']

interface Part {
  readonly folder: string
  readonly kind: string
  /** Place of the first item of this part among all. */
  readonly start: number
}

function partOf(name: string): Part | null {
  const match = PART.exec(name)
  if (match === null) return null
  const start = Number(match[4] ?? 0)
  return {
    folder: match[1] ?? '',
    kind: match[3] ?? 'sample',
    start: Number.isSafeInteger(start) ? start : 0,
  }
}

/**
 * [I30] The members to read, in order: the header, or the journal's start if the log has no header yet; then the
 * samples in archive order, with the parts of a sample together. Members that only repeat others (summaries, pools of
 * API calls, indexes of events) are left out.
 */
export function memberOrder(names: readonly string[]): readonly string[] {
  const order: string[] = []
  const head = ['header.json', '_journal/start.json'].find((name) => names.includes(name))
  if (head !== undefined) order.push(head)
  const folders = new Map<string, Array<{ readonly name: string; readonly part: Part }>>()
  const samples: Array<string | ReadonlyArray<{ readonly name: string; readonly part: Part }>> = []
  for (const name of names) {
    const part = partOf(name)
    if (part === null) {
      if (/^samples\/[^/]+\.json$/.test(name)) samples.push(name)
      continue
    }
    const known = folders.get(part.folder)
    if (known !== undefined) known.push({ name, part })
    else {
      const made = [{ name, part }]
      folders.set(part.folder, made)
      samples.push(made)
    }
  }
  for (const sample of samples) {
    if (typeof sample === 'string') order.push(sample)
    else {
      const place = ({ part }: { readonly part: Part }): number => ORDER.indexOf(part.kind)
      const sorted = sample.toSorted((a, b) => place(a) - place(b) || a.part.start - b.part.start)
      for (const { name } of sorted) order.push(name)
    }
  }
  return order
}

/** Gathers the parts of one sample at a time. */
export interface Chunks {
  /** True for members that are parts. */
  readonly holds: (name: string) => boolean
  /** Takes a part; the sample before, when this part begins another one. */
  readonly takeMember: (
    name: string,
    record: RawRecord,
    id: (sample: unknown) => string,
  ) => Sample | null
  /** The sample that is being gathered, as far as it came. */
  readonly soFar: () => Sample | null
}

interface Gathering {
  readonly folder: string
  readonly record: RawRecord
  readonly id: string
  readonly value: unknown
  readonly lists: Readonly<Record<string, Map<number, unknown>>>
  /** Places of the messages in the file. */
  readonly places: WeakMap<object, SourceRef>
}

export function createChunks(): Chunks {
  let now: Gathering | null = null
  const finish = (): Sample | null => {
    const sample = now === null ? null : sampleOfParts(now)
    now = null
    return sample
  }
  return {
    holds: (name) => partOf(name) !== null,
    soFar: () => (now === null ? null : sampleOfParts(now)),
    takeMember(name, record, id) {
      const part = partOf(name)
      if (part === null) return finish()
      const done = now !== null && now.folder !== part.folder ? finish() : null
      const isHead = part.kind === 'sample'
      now ??= {
        folder: part.folder,
        record,
        value: isHead ? record.value : {},
        id: isHead ? id(record.value) : part.folder.replace(/^samples\//, ''),
        lists: { attachments: new Map(), messages: new Map(), events: new Map() },
        places: new WeakMap(),
      }
      fill(now, part, record)
      return done
    },
  }
}

/** The items of a part at their places; a part is a list, or an object whose keys are the places. */
function fill({ lists, places }: Gathering, part: Part, { value, ref }: RawRecord): void {
  const items = lists[part.kind]
  if (items === undefined) return
  const entries = isList(value)
    ? value.map((item, n): [number, unknown] => [part.start + n, item])
    : Object.entries(isObject(value) ? value : {}).map(([key, item]): [number, unknown] => [
        Number(key),
        item,
      ])
  for (const [n, item] of entries) {
    items.set(n, item)
    if (isObject(item)) places.set(item, ref)
  }
}

function sampleOfParts({ record, id, value, lists, places }: Gathering): Sample {
  const listOf = (kind: string): readonly unknown[] => {
    const entries = [...(lists[kind] ?? [])].toSorted(([a], [b]) => a - b)
    return entries.map(([, item]) => item)
  }
  const pool = listOf('messages')
  const refs = own(value, 'message_refs')
  return {
    value,
    source: record.ref,
    id,
    pool,
    events: listOf('events'),
    messages: isList(refs) ? fromPool(refs, pool) : pool,
    attachment: (key) => lists['attachments']?.get(Number(key)),
    sourceOf: (message) => places.get(message) ?? record.ref,
  }
}
