import { draft, sessionDraft, type SessionDraft } from '../shared/drafts.ts'
import { asText, compact, epoch, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { createLog, type ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { createChunks, memberOrder, type Chunks } from './chunks.ts'
import { sampleOf, sessionsOfSample, type Sample } from './sample.ts'

/** An EvalLog, or what stands around its samples. */
function isLog(value: unknown): boolean {
  const spec = own(value, 'eval')
  if (!isObject(spec)) return false
  const marks = ['status', 'plan', 'results', 'stats', 'samples', 'version']
  const names = ['task', 'run_id', 'dataset', 'model']
  return (
    marks.some((key) => own(value, key) !== undefined) &&
    names.filter((key) => own(spec, key) !== undefined).length >= 2
  )
}

function isSample(value: unknown): boolean {
  const keys = ['id', 'epoch', 'input', 'target']
  if (!keys.every((key) => own(value, key) !== undefined)) return false
  return (
    typeof own(value, 'epoch') === 'number' &&
    (isList(own(value, 'messages')) || isObject(own(value, 'scores')))
  )
}

/** [I30] An archive with a header, a journal or samples. */
function detectMembers(names: readonly string[]): boolean {
  return (
    names.some((name) => name === '_journal/start.json' || SAMPLE.test(name)) ||
    (names.includes('header.json') && names.some((name) => name.endsWith('summaries.json')))
  )
}

const SAMPLE = /^samples\/.+_epoch_\d+(?:\.json|\/sample\.json)$/

interface Reading {
  readonly log: ImportLog
  readonly sessions: SessionDraft[]
  readonly nameFor: (wanted: string) => string
  readonly chunks: Chunks
  /** The log without its samples. */
  evalLog: { readonly value: unknown; readonly record: RawRecord } | null
  alone: SessionDraft | null
  model: string | null
}

function read(log: ImportLog): Reader {
  const reading: Reading = {
    log,
    sessions: [],
    nameFor: createNames(' #'),
    chunks: createChunks(),
    evalLog: null,
    alone: null,
    model: null,
  }
  let partial: readonly SessionDraft[] = []
  // A sample in parts may be shown before its last part has come; what it leaves out counts once.
  const show = (sample: Sample | null): void => {
    const scratch = createLog()
    partial = sample === null ? [] : sessionsOfSample(sample, scratch)
    log.recount(new Map(Object.entries(scratch.report().skipped)))
  }
  const close = (sample: Sample): void => {
    reading.sessions.push(...sessionsOfSample(sample, log))
    partial = []
    log.recount(new Map())
  }
  return {
    take(record) {
      const { member } = record
      if (member !== undefined) {
        const done = reading.chunks.takeMember(member, record, (value) => sessionId(value, reading))
        if (done !== null) close(done)
        if (reading.chunks.holds(member)) return
      }
      takeValue(record, reading)
    },
    drafts: () => (reading.alone === null ? [...reading.sessions, ...partial] : [reading.alone]),
    tidy() {
      show(reading.chunks.soFar())
      const isAlone = reading.sessions.length === 0 && partial.length === 0
      reading.alone = isAlone && reading.evalLog !== null ? ofLog(reading.evalLog) : null
    },
  }
}

function takeValue(record: RawRecord, reading: Reading): void {
  const { value, ref, member } = record
  if (isLog(value)) {
    reading.evalLog ??= { value, record }
    reading.model ??= textAt(own(value, 'eval'), 'model')
    for (const sample of listAt(value, 'samples')) takeSample({ ...record, value: sample }, reading)
    return
  }
  if (isObject(value) && (member === undefined || SAMPLE.test(member))) takeSample(record, reading)
  else if (member !== undefined) reading.log.skip(member.replace(/^.*\//, '').slice(0, 80))
  else reading.log.problem('unknown_shape', { ...ref, text: '' }, 'not a sample')
}

function takeSample(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (
    !isObject(value) ||
    (own(value, 'input') === undefined && own(value, 'messages') === undefined)
  ) {
    reading.log.unusable(record, 'not a sample: it has no input')
    return
  }
  const sample = sampleOf(value, ref, sessionId(value, reading))
  reading.sessions.push(...sessionsOfSample(sample, reading.log))
}

/** `<id>_epoch_<n>`, as archives name their members; a repeated one gets a number. */
function sessionId(sample: unknown, { nameFor }: Reading): string {
  const raw = own(sample, 'id')
  const id = typeof raw === 'number' ? raw : (asText(raw) ?? 'sample')
  return nameFor(`${id}_epoch_${compact(own(sample, 'epoch') ?? 1)}`)
}

/** A log without samples shows how the evaluation went. */
function ofLog({
  value,
  record,
}: {
  readonly value: unknown
  readonly record: RawRecord
}): SessionDraft {
  const spec = own(value, 'eval')
  const session = sessionDraft(textAt(spec, 'run_id', 'task') ?? 'log')
  session.title = textAt(spec, 'task')
  const at = epoch(own(spec, 'created'))
  session.startedAt = at
  const origin = { at, model: textAt(spec, 'model'), source: record.ref }
  const status = textAt(value, 'status') ?? 'not finished'
  session.events.push(draft('meta', status, origin, { name: 'status' }))
  const results = own(value, 'results')
  if (isObject(results))
    session.events.push(draft('meta', compact(results).slice(0, 8000), origin, { name: 'results' }))
  const error = textAt(own(value, 'error'), 'message')
  if (error !== null)
    session.events.push(draft('system', error, origin, { name: 'error', isError: true }))
  return session
}

/** Logs of Inspect: `.json`, and `.eval` archives of all layouts, finished or not. */
export const inspect: Importer = {
  name: 'inspect',
  label: 'Inspect logs (.eval, .json)',
  detect: (head) => head.values.some((value) => isLog(value) || isSample(value)),
  detectMembers,
  split: ({ members }) =>
    members === null
      ? { by: 'records', lists: ['samples'], header: true }
      : { by: 'members', names: memberOrder(members.names) },
  read,
}
