import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { finishSessions } from './drafts.ts'
import type { SessionDraft, TextStore } from './drafts.ts'
import { createLedger } from './ledger.ts'
import { recordsOfLine } from './line-records.ts'
import { documentSteps, takeValue } from './records.ts'
import type { ImportedTranscript, Importer, Reader, Source, Split } from './source.ts'

/** A file on its way in. */
export interface ImportRun {
  readonly importer: Importer
  /** Reads on; gives back control after each batch, so that the host can look, report and stop. */
  steps(): AsyncGenerator<void, void>
  /** What was read so far. A refusal concerns the whole file. */
  snapshot(): Result<ImportedTranscript>
}

/** Reads a file with one importer. With `texts`, the texts of events move there after each batch. */
export function startImport(
  source: Source,
  importer: Importer,
  texts: TextStore | null = null,
): ImportRun {
  const ledger = createLedger()
  const reader = importer.read(ledger)
  const split = importer.split(source)
  const settle = texts === null ? () => undefined : createSettler(reader, texts)
  return {
    importer,
    async *steps() {
      for await (const _ of recordSteps(source, split, ledger, reader)) {
        settle()
        yield
      }
      settle()
    },
    snapshot() {
      const refusal = reader.refusal?.() ?? null
      if (refusal !== null) {
        return err({ ...refusal, where: `${source.name}, ${refusal.where}` })
      }
      reader.tidy?.()
      const sessions = finishSessions(reader.drafts())
      const files = split.by === 'members' ? [...split.names] : []
      return ok({ format: importer.name, sessions, files, ...ledger.report() })
    },
  }
}

type Ledger = ReturnType<typeof createLedger>

async function* recordSteps(
  source: Source,
  split: Split,
  ledger: Ledger,
  reader: Reader,
): AsyncGenerator<void, void> {
  if (split.by === 'members') yield* memberSteps(source, split.names, ledger, reader)
  else if (split.by === 'lines') yield* lineSteps(source, ledger, reader)
  else if (split.by === 'document' || isDocument(source, split)) {
    yield* documentSteps(await source.document(), split, ledger, reader.take)
  } else {
    for await (const batch of source.lines()) {
      for (const line of batch) {
        ledger.countLine(line.line)
        recordsOfLine(line, ledger, (value, ref) => {
          takeValue({ value, ref }, split, ledger, reader.take)
        })
      }
      yield
    }
  }
}

/** One line may hold a whole list; a file that is one such line is better read as a document, item by item. */
function isDocument(source: Source, split: Split & { readonly by: 'records' }): boolean {
  const { layout, values } = source.head
  if (layout === 'document') return true
  const value = values.length === 1 ? values[0] : null
  if (typeof value !== 'object' || value === null) return false
  return (split.lists ?? []).some(
    (key) => Object.hasOwn(value, key) && Array.isArray((value as Record<string, unknown>)[key]),
  )
}

/** Markdown and plain text: every line counts, blank ones too. */
async function* lineSteps(source: Source, ledger: Ledger, reader: Reader): AsyncGenerator<void> {
  for await (const batch of source.lines()) {
    for (const line of batch) {
      ledger.countLine(line.line)
      if (line.tooLong)
        ledger.problem('too_long', line, 'longer than this program can hold as one text')
      const { offset, length, text } = line
      reader.take({ value: text, ref: { offset, length, line: line.line } })
    }
    yield
  }
}

async function* memberSteps(
  source: Source,
  names: readonly string[],
  ledger: Ledger,
  reader: Reader,
): AsyncGenerator<void> {
  for (const [file, member] of names.entries()) {
    const text = (await source.members?.text(member)) ?? ''
    const ref = { offset: 0, length: text.length, line: 1, file }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      ledger.problem('bad_json', { ...ref, text }, `the member ${member} is not valid JSON`)
      continue
    }
    reader.take({ value, ref, member })
    yield
  }
}

/** Moves the texts of events that came since the last time. */
function createSettler(reader: Reader, texts: TextStore): () => void {
  const done = new WeakMap<SessionDraft, number>()
  return () => {
    for (const session of reader.drafts()) {
      const { events } = session
      for (let at = done.get(session) ?? 0; at < events.length; at += 1) events[at]?.keepIn(texts)
      done.set(session, events.length)
    }
  }
}
