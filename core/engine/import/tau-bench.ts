import { isChatRole, speakerOf, takeChatMessage } from './chat-message.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import { firstRecords } from './holder.ts'
import { runResult } from './run-result.ts'
import type { Importer, RawRecord } from './source.ts'
import { readTalks, type TalkReading } from './talk-reader.ts'
import type { Talk } from './talks.ts'

/** A run: `{task_id, reward, info, traj, trial}`. */
function isRun(value: unknown): boolean {
  if (!isList(own(value, 'traj'))) {
    // The head of a file may end before the conversation begins.
    const task = own(own(value, 'info'), 'task')
    return own(value, 'task_id') !== undefined && own(task, 'actions') !== undefined
  }
  return ['task_id', 'reward', 'trial'].some((key) => own(value, key) !== undefined)
}

function detect(head: Head): boolean {
  return firstRecords(head.values).some(isRun)
}

type Reading = TalkReading<Talk>

const read = readTalks<Talk>(['traj'], { header: openRun, item: takeItem })

function label(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : text(value)
}

/** [I23] One task is tried several times: each trial is a session. */
function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  const [task, trial] = [label(own(value, 'task_id')), label(own(value, 'trial'))]
  const parts = [
    ...(task === null ? [] : ['task', task]),
    ...(trial === null ? [] : ['trial', trial]),
  ]
  reading.talks.finish()
  const talk = reading.talks.open(parts.length === 0 ? null : parts.join('-'))
  reading.run = talk
  if (parts.length > 0) talk.session.title = parts.join(' ')
  const info = own(value, 'info')
  const origin: Origin = { at: null, model: null, source: record.ref }
  talk.closeWith((events) => {
    const crash = compact(own(info, 'error'))
    const failed = crash === '' ? [] : [draft('system', crash, origin, { isError: true })]
    const facts = runResult(
      [
        ['reward', compact(own(value, 'reward'))],
        ['reward_info', compact(own(info, 'reward_info'))],
        ['task', compact(own(info, 'task'))],
      ],
      events,
      origin,
    )
    return [...failed, ...facts]
  })
}

function takeItem(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const role = own(value, 'role')
  if (isObject(value) && own(value, 'task_id') !== undefined && role === undefined) {
    // A run that crashed before its first message has no conversation.
    openRun(value, record, reading)
    return
  }
  if (!isObject(value) || typeof role !== 'string') {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'not a message: it has no role')
    return
  }
  const talk = (reading.run ??= reading.talks.open(null))
  const speaker = isChatRole(role) ? speakerOf(value, role) : { kind: 'meta' as const, name: role }
  talk.reopen()
  const before = talk.said()
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
  const { push, calls } = talk
  takeChatMessage(value, speaker, origin, { push, calls, skip: reading.ledger.skip })
  if (talk.said() === before) reading.ledger.skip(`${role} without content`)
}

/** tau-bench results: an array of runs with their rewards. */
export const tauBench: Importer = {
  name: 'tau-bench',
  label: 'tau-bench results',
  detect,
  split: () => ({ by: 'records', lists: ['traj'], header: true }),
  read,
}
