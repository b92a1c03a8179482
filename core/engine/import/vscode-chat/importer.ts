import { branchDraft, sessionDraft, setEvents, type SessionDraft } from '../shared/drafts.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { epoch, has, hasSome, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { changeOf, createChatState, type Change, type ChatState } from './state.ts'
import { turnOf, type Turn } from './turn.ts'

const LIST = 'requests'

/** An export, or a file of the editor's own store. */
function isChat(value: unknown): boolean {
  if (!isList(own(value, LIST))) return false
  if (hasSome(value, ['requesterUsername', 'responderUsername'])) return true
  return textAt(value, 'sessionId') !== null && epoch(own(value, 'creationDate')) !== null
}

function isRequest(value: unknown): boolean {
  if (textAt(value, 'requestId') === null || !has(value, 'message')) return false
  return hasSome(value, ['response', 'variableData', 'responseId', 'modelId', 'result'])
}

function isVsCodeChat(value: unknown): boolean {
  if (isList(value)) return value.slice(0, 5).some((item) => isChat(item) || isRequest(item))
  return isChat(value) || isRequest(value) || changeOf(value) !== null
}

interface Reading {
  readonly log: ImportLog
  readonly named: (id: string) => string
  /** All sessions of chats that are written whole, and logs of changes, in order of the file. */
  readonly chats: Array<Chat | LoggedChat>
  chat: Chat | null
  logged: LoggedChat | null
}

function read(log: ImportLog): Reader {
  const reading: Reading = { log, named: createNames(), chats: [], chat: null, logged: null }
  return {
    take: (record) =>
      takeEnvelope(record, [LIST], {
        header: (value) => openChat(value, reading),
        item: (item) => takeItem(item, reading),
      }),
    drafts: () => reading.chats.flatMap(draftsOf),
    tidy() {
      const skipped = new Map<string, number>()
      for (const chat of reading.chats) {
        if (!('settle' in chat)) continue
        chat.settle()
        for (const type of chat.skipped()) skipped.set(type, (skipped.get(type) ?? 0) + 1)
      }
      log.recount(skipped)
    },
  }
}

function draftsOf(chat: Chat | LoggedChat): readonly SessionDraft[] {
  return [chat.main, ...('settle' in chat ? chat.others() : chat.others)]
}

function sessionFor(value: unknown, reading: Reading): SessionDraft {
  const id = textAt(value, 'sessionId') ?? `session-${reading.chats.length + 1}`
  return sessionDraft(reading.named(id))
}

function openChat(value: unknown, reading: Reading): Chat {
  const chat = newChat(sessionFor(value, reading))
  takeFacts(value, chat.main)
  reading.chats.push(chat)
  reading.chat = chat
  if (listAt(value, 'pendingRequests').length > 0) reading.log.skip('pendingRequests')
  reading.log.skip('header')
  return chat
}

function takeItem(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const change = changeOf(value)
  if (change !== null) {
    takeChange(change, record, reading)
    return
  }
  if (!isRequest(value) && !(isObject(value) && hasSome(value, ['message', 'response']))) {
    reading.log.unusable({ value, ref }, 'neither a request nor a change of a chat')
    return
  }
  const { log } = reading
  const turn = turnOf(value, ref, {
    skip: log.skip,
    placeOf: (_, place) => place,
    unknown: (part, at, kind) =>
      log.unusable({ value: part, ref: at }, `a part of an answer of an unknown kind: ${kind}`),
  })
  addTurn(reading.chat ?? openChat({}, reading), turn)
}

/** [I121] A log that became long begins again with its whole state; another chat's state is another session. */
function takeChange(change: Change, record: RawRecord, reading: Reading): void {
  const id = change.kind === 0 ? textAt(change.value, 'sessionId') : null
  if (reading.logged === null || (id !== null && id !== reading.logged.main.id)) {
    reading.logged = createLoggedChat(sessionFor(change.value, reading))
    reading.chats.push(reading.logged)
  }
  if (reading.logged.apply(change, record)) return
  const where = change.path.join('.').slice(0, 200)
  reading.log.unusable(record, `a change of ${where}, which this chat does not have`)
}

/** [I121] A chat stored as a log of changes. Its requests are read lazily. */
interface LoggedChat {
  readonly main: SessionDraft
  /** Returns false if a change does not fit the current state. */
  readonly apply: (change: Change, record: RawRecord) => boolean
  /** Puts the events in order, after changes. */
  readonly settle: () => void
  readonly others: () => readonly SessionDraft[]
  /** Kinds of hidden content in its requests, one entry for each occurrence. */
  readonly skipped: () => readonly string[]
}

interface ReadTurn {
  readonly turn: Turn
  readonly skipped: readonly string[]
}

function createLoggedChat(main: SessionDraft): LoggedChat {
  const state = createChatState()
  // Cached result of reading a request, until the request changes.
  let turns: Array<ReadTurn | undefined> = []
  let others: readonly SessionDraft[] = []
  let changed = false

  const forget = ([root, index]: Change['path']): void => {
    if (root !== undefined && root !== LIST) return
    if (typeof index === 'number') turns[index] = undefined
    else turns = []
  }
  return {
    main,
    apply(change, record) {
      if (!state.apply(change, record)) return false
      changed = true
      forget(change.path)
      return true
    },
    settle() {
      if (!changed) return
      changed = false
      const requests = listAt(state.value, LIST)
      const collected = newChat({ ...main, events: [] })
      // A change may take them back.
      main.title = null
      main.startedAt = null
      takeFacts(state.value, main)
      for (const [at, request] of requests.entries()) {
        const read = turns[at] ?? readTurn(request, state)
        turns[at] = read
        addTurn(collected, read.turn)
      }
      turns.length = requests.length
      setEvents(main, collected.main.events)
      others = collected.others
    },
    others: () => others,
    skipped: () => turns.flatMap((read) => read?.skipped ?? []),
  }
}

function readTurn(request: unknown, state: ChatState): ReadTurn {
  const skipped: string[] = []
  const ref = state.placeOf(request, { offset: 0, length: 0, line: 1 })
  const turn = turnOf(request, ref, {
    skip: (type) => skipped.push(type),
    placeOf: state.placeOf,
    // Counted, not listed: a log is read again when it grew, and a problem would be listed twice.
    unknown: (_part, _ref, kind) => skipped.push(`response/${kind} (unknown)`),
  })
  return { turn, skipped }
}

/** A chat with its sub-agents and the requests that were taken back. */
interface Chat {
  readonly main: SessionDraft
  readonly others: SessionDraft[]
  branches: number
  /** Branch of the last request if it was taken back. The next such request continues there. */
  branch: SessionDraft | null
}

function newChat(main: SessionDraft): Chat {
  return { main, others: [], branches: 0, branch: null }
}

/** Reads the facts in the object around the requests. */
function takeFacts(value: unknown, main: SessionDraft): void {
  main.title = textAt(value, 'customTitle') ?? main.title
  main.startedAt ??= epoch(own(value, 'creationDate'))
}

/** [I120] Adds a request and its answer: to the chat, or, taken back, to a branch. */
function addTurn(chat: Chat, turn: Turn): void {
  if (!turn.left) chat.branch = null
  else if (chat.branch === null) {
    chat.branches += 1
    chat.branch = branchDraft(chat.main, chat.branches)
    chat.others.push(chat.branch)
  }
  const session = chat.branch ?? chat.main
  for (const event of turn.events) session.events.push(event)
  for (const { id, startedBy, events } of turn.agents) {
    const agent = sessionDraft(`${chat.main.id}/${id}`, id, session.id)
    if (startedBy !== null) agent.startedBy = startedBy
    for (const event of events) agent.events.push(event)
    chat.others.push(agent)
  }
}

/** Copilot chats of VS Code: exports, and its own files, written whole or as a log of changes. */
export const vscodeChat: Importer = {
  name: 'vscode-chat',
  label: 'VS Code Copilot chat (JSON, JSONL)',
  detect: (head) => head.values.some(isVsCodeChat),
  split: () => ({ by: 'records', lists: [LIST], header: true }),
  read,
}
