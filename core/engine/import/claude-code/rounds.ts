import type { SessionDraft } from '../shared/drafts.ts'
import { listAt, own, textAt, type JsonObject } from '../shared/guards.ts'
import { baseName } from '../shared/context-source.ts'
import type { Rule } from './attachments.ts'

/** A tool call that names a file. */
interface FileCall {
  readonly id: string
  readonly path: string
}

interface Round {
  /** The answer whose calls these are. */
  readonly message: string | null
  readonly calls: FileCall[]
}

/** Calls of one answer that are kept. */
const MOST = 100

/** [X3] The file calls of the last answer of each thread: rule files come in after the results of such calls. */
export interface Rounds {
  readonly note: (record: JsonObject, session: SessionDraft) => void
  readonly causeOf: (rule: Rule, session: SessionDraft) => string | null
}

export function createRounds(): Rounds {
  const rounds = new Map<SessionDraft, Round>()
  return {
    note(record, session) {
      const message = own(record, 'message')
      const id = textAt(message, 'id')
      const before = rounds.get(session)
      const isSame = before !== undefined && id !== null && before.message === id
      const round: Round = isSame ? before : { message: id, calls: [] }
      for (const block of listAt(message, 'content')) {
        const call = fileCallOf(block)
        if (call !== null && round.calls.length < MOST) round.calls.push(call)
      }
      rounds.set(session, round)
    },
    causeOf(rule, session) {
      const calls = rounds.get(session)?.calls ?? []
      if (calls.length === 1) return calls[0]?.id ?? null
      return calls.find(({ path }) => applies(rule, path))?.id ?? null
    },
  }
}

function fileCallOf(block: unknown): FileCall | null {
  if (own(block, 'type') !== 'tool_use') return null
  const id = textAt(block, 'id')
  const path = textAt(own(block, 'input'), 'file_path', 'notebook_path', 'path')
  return id === null || path === null ? null : { id, path }
}

/**
 * Whether a rule is for a file: by the fixed beginning and end of its globs, or by its folder. Which of several
 * calls caused it needs no more, and no pattern of a transcript is run.
 */
function applies({ path, globs }: Rule, file: string): boolean {
  if (globs !== null) return globs.some((glob) => fits(glob, file))
  const folder = path.slice(0, path.length - baseName(path).length)
  return file.startsWith(folder)
}

function fits(glob: string, file: string): boolean {
  const first = glob.search(/[*?{[]/u)
  if (first < 0) return file.endsWith(glob)
  const head = glob.slice(0, first)
  const tail = glob.slice(lastSpecial(glob) + 1)
  const inside = head === '' || file.startsWith(head) || file.includes(`/${head}`)
  return inside && file.endsWith(tail)
}

function lastSpecial(glob: string): number {
  return Math.max(...['*', '?', '}', ']'].map((sign) => glob.lastIndexOf(sign)))
}
