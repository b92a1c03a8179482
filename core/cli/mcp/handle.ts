import { draft } from '../../engine/import/shared/drafts.ts'
import { NO_TEXTS, textOf } from '../../engine/schema/event.ts'
import type { Session, Transcript } from '../../engine/schema/session.ts'
import { turnsOf } from '../../engine/turns.ts'
import { isTextLabel } from '../../host/labels/label-file.ts'
import { readLabelFile } from '../../host/labels/label-store.ts'
import type { OpenTranscript } from '../../host/transcripts/open-transcript.ts'
import { openTranscript } from '../../host/transcripts/transcript.ts'
import type { ReadCorpus } from '../../host/corpus/lab/read-corpus.ts'
import type { Waiting } from '../../host/corpus/waiting.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import { CommandError, valueOrFail } from '../kit/output.ts'
import type { Desk } from './desk.ts'
import type { Places } from './places.ts'

/** The address of a turn, or a text without a session. */
interface Target {
  readonly turn?: string | undefined
  readonly text?: string | undefined
}

/** A turn of a session that was read. A given text forms its own session. */
interface FoundTurn {
  readonly session: Session
  /** From 0. */
  readonly turn: number
  /** As answers name it; null for a text. */
  readonly address: string | null
  /** The file's format and sessions; of a text, itself. */
  readonly transcript: Pick<Transcript, 'format' | 'sessions'>
}

/** The address of a turn: session and turn from 1. The session is omitted if it is the first. */
export function addressOf(file: string, session: number, turn: number): string {
  return session === 1 ? `${file}#${turn}` : `${file}#${session}:${turn}`
}

/** The same of a turn of a corpus; of a labelled text, its line. */
export function addressIn({ corpus, origins }: ReadCorpus, places: Places, turn: number): string {
  const session = corpus.sessionOf(turn)
  const { file = -1, path = null, inFile = 0 } = origins[session] ?? {}
  const shown = places.shown(path ?? '')
  if (file < 0) return `${shown}#L${inFile + 1}`
  return addressOf(shown, inFile + 1, turn - (corpus.sessions[session]?.first ?? 0) + 1)
}

const ADDRESS = /^(?<file>.+)#(?:L(?<line>\d{1,9})|(?:(?<session>\d{1,9}):)?(?<turn>\d{1,9}))$/su

/** A text as a session of one message. */
function sessionOf(text: string): Session {
  const nowhere = { at: null, model: null, source: { offset: 0, length: 0, line: 1 } }
  return {
    id: 'text',
    title: 'Text',
    thread: 'main',
    parent: null,
    startedAt: null,
    cwd: null,
    events: [draft('user', text, nowhere)],
    texts: NO_TEXTS,
  }
}

function foundText(text: string, address: string | null): FoundTurn {
  const session = sessionOf(text)
  return { session, turn: 0, address, transcript: { format: 'text', sessions: [session] } }
}

async function labelledText(desk: Desk, file: string, line: number): Promise<FoundTurn> {
  const read = await readLabelFile(await desk.places.real(file))
  const value = read?.lines[line - 1]?.value ?? null
  if (value !== null && isTextLabel(value)) return foundText(value.text, `${file}#L${line}`)
  const advice = 'check_labels says the addresses of labelled texts'
  throw new CommandError({ what: `line ${line} is no labelled text`, where: file, do: advice })
}

/** Reads a transcript that the agent may read; close it when it is not needed any more. */
export async function openFile(desk: Desk, file: string, { signal, onProgress }: Waiting) {
  const path = await desk.places.real(file)
  return valueOrFail(
    await openTranscript(path, {
      signal,
      formats: desk.formats,
      ...(onProgress === undefined ? {} : { onProgress }),
    }),
  )
}

/** A session of a transcript by its number, from 1. */
export function sessionIn({ transcript }: OpenTranscript, file: string, number: number): Session {
  const session = transcript.sessions[number - 1]
  if (session !== undefined) return session
  const advice = `It has sessions 1 to ${transcript.sessions.length}`
  throw new CommandError({ what: `there is no session ${number}`, where: file, do: advice })
}

interface Around {
  readonly side: ResolvedSide
  readonly waiting: Waiting
}

/** Works with the turn that a call names, and closes its file. */
export async function withTurn<T>(
  desk: Desk,
  { turn: address, text }: Target,
  around: Around,
  work: (found: FoundTurn) => Promise<T>,
): Promise<T> {
  if (text !== undefined && address === undefined) return work(foundText(text, null))
  const parts = ADDRESS.exec(address ?? '')?.groups
  if (parts === undefined || text !== undefined)
    throw new CommandError({
      what: text === undefined ? 'this is no address of a turn' : 'turn and text are given',
      where: address ?? 'turn',
      do: 'Give `turn` as FILE#TURN, for example session.jsonl#14 (turns count from 1), or a `text`',
    })
  const { file = '', line } = parts
  if (line !== undefined) return work(await labelledText(desk, file, Number(line)))
  const opened = await openFile(desk, file, around.waiting)
  try {
    const { transcript } = opened
    return await work({ ...turnOf(opened, parts, around), address: address ?? null, transcript })
  } finally {
    opened.close()
  }
}

/** The turn of an opened file that the parts of an address name. */
function turnOf(
  opened: OpenTranscript,
  parts: Readonly<Record<string, string | undefined>>,
  { side }: Around,
): Pick<FoundTurn, 'session' | 'turn'> {
  const { file = '', session: number = '1', turn = '0' } = parts
  const session = sessionIn(opened, file, Number(number))
  const { length } = turnsOf(session.events, side.compiled.classify)
  if (Number(turn) >= 1 && Number(turn) <= length) return { session, turn: Number(turn) - 1 }
  const advice = length === 0 ? 'Nothing in it is classified' : `It has turns 1 to ${length}`
  throw new CommandError({ what: `there is no turn ${turn}`, where: file, do: advice })
}

/** The text of such a turn. */
export function textOfTurn({ session, turn }: FoundTurn, { compiled }: ResolvedSide): string {
  const event = turnsOf(session.events, compiled.classify)[turn] ?? session.events[turn]
  return event === undefined ? '' : textOf(event, session.texts)
}
