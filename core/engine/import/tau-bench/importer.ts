import { isChatRole, speakerOf, takeChatMessage } from '../shared/chat-message.ts'
import type { Origin } from '../shared/drafts.ts'
import { firstRecords } from '../shared/envelope.ts'
import {
  epoch,
  hasSome,
  idText,
  isList,
  isObject,
  own,
  pick,
  type JsonObject,
} from '../shared/guards.ts'
import {
  crashed,
  readRuns,
  runResult,
  type RunsReading,
  type SessionWriter,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** A run: `{task_id, reward, info, traj, trial}`. */
function isRun(value: unknown): boolean {
  if (!isList(own(value, 'traj'))) {
    // The head of a file may end before the conversation begins.
    const task = own(own(value, 'info'), 'task')
    return own(value, 'task_id') !== undefined && own(task, 'actions') !== undefined
  }
  return hasSome(value, ['task_id', 'reward', 'trial'])
}

type Reading = RunsReading<SessionWriter>

/** [I23] One task is tried several times: each trial is a session. */
function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  const task = idText(own(value, 'task_id'))
  const trial = idText(own(value, 'trial'))
  const parts = [
    ...(task === null ? [] : ['task', task]),
    ...(trial === null ? [] : ['trial', trial]),
  ]
  reading.writers.finish()
  const writer = reading.writers.open(parts.length === 0 ? null : parts.join('-'))
  reading.run = writer
  if (parts.length > 0) writer.session.title = parts.join(' ')
  const info = own(value, 'info')
  writer.closeWith(() => {
    const facts = { ...pick(value, ['reward']), ...pick(info, ['reward_info', 'task']) }
    return [...crashed(own(info, 'error'), record.ref), ...runResult(writer, record.ref, facts)]
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
    reading.log.unusable({ value, ref }, 'not a message: it has no role')
    return
  }
  const writer = (reading.run ??= reading.writers.open(null))
  const speaker = isChatRole(role) ? speakerOf(value, role) : { kind: 'meta' as const, name: role }
  writer.reopen()
  const before = writer.count()
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
  takeChatMessage(value, speaker, origin, writer)
  if (writer.count() === before) reading.log.skip(`${role} without content`)
}

/** tau-bench results: an array of runs with their rewards. */
export const tauBench: Importer = {
  name: 'tau-bench',
  label: 'tau-bench results',
  detect: (head) => firstRecords(head.values).some(isRun),
  split: () => ({ by: 'records', lists: ['traj'], header: true }),
  read: readRuns<SessionWriter>(['traj'], { header: openRun, item: takeItem }),
}
