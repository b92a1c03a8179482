import type { Words } from '../annotate.ts'
import { KINDS } from './kinds.ts'

const TIME =
  'milliseconds since 1970, or an ISO time with its offset; `null` where it is not known.'

export const HEADER_WORDS: Words = {
  '': 'First line of a session in the native format (JSON lines). A file may hold several sessions, each with its header. Fields that are not listed here are kept.',
  type: 'Marks the line as a header: `session`.',
  schemaVersion: 'Version of the format: 1.',
  id: 'Id of the session, unique in the file. Left out: one is made.',
  title: 'Title, as lists show it.',
  thread: '`main`, or the id of the sub-agent whose session it is. Left out: `main`.',
  parent: 'Id of the session that started this one; `null` or left out for a main session.',
  startedBy: '`callId` of the tool call in the parent that started it.',
  forkedFrom: 'Id of the session that it was forked from.',
  startedAt: `When the session began: ${TIME}`,
  cwd: 'Folder that the agent worked in; `null` where it is not known.',
  scratch: 'It is being written by hand, and is there before its first event is.',
}

export const EVENT_WORDS: Words = {
  '': 'One event of a session in the native format (JSON lines), below its header. Fields that are not listed here are kept.',
  kind: { text: 'What the event is.', values: KINDS },
  text: 'What was said, called or answered. The arguments of a call are JSON in this text.',
  at: `When it happened: ${TIME}`,
  name: 'Name of the tool of a call or a result, or of who speaks.',
  callId: 'Id that joins the result of a tool to its call.',
  isError: 'The tool failed. Left out: false.',
  model: 'Name of the model that speaks.',
}
