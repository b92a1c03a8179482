import { branchDraft, sessionDraft, type SessionDraft } from '../shared/drafts.ts'
import { epoch, own, textAt } from '../shared/guards.ts'
import type { Turn } from './turn.ts'

/** A chat with its sub-agents and the requests that were taken back. */
export interface Chat {
  readonly main: SessionDraft
  readonly others: SessionDraft[]
  branches: number
  /** Where the last request went when it was taken back: the next one of that kind goes on there. */
  branch: SessionDraft | null
}

export function newChat(main: SessionDraft): Chat {
  return { main, others: [], branches: 0, branch: null }
}

/** What the object around the requests says. */
export function takeFacts(value: unknown, main: SessionDraft): void {
  main.title = textAt(value, 'customTitle') ?? main.title
  main.startedAt ??= epoch(own(value, 'creationDate'))
}

/** [I120] Adds a request and its answer: to the chat, or, taken back, to a branch. */
export function addTurn(chat: Chat, turn: Turn): void {
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
