import type { z } from 'zod'
import type { labContract } from '../../../wire/lab.ts'
import type { DomainEntry, DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'

export type DraftEdit = z.output<(typeof labContract)['draft.edit']['in']>['edit']

/** Semantic content of a domain file after an edit, ignoring formatting. */
export function expectedAfter(file: DomainFile, index: number, edit: DraftEdit): DomainFile {
  const domains = file.domains.map((domain, at) => (at === index ? edited(domain, edit) : domain))
  return { ...file, domains }
}

function edited(domain: DomainEntry, edit: DraftEdit): DomainEntry {
  const { signals } = domain
  switch (edit.kind) {
    case 'pattern':
      return {
        ...domain,
        signals: signals.map((each, at) =>
          at === edit.signal ? withPattern(each, edit.pattern) : each,
        ),
      }
    case 'add':
      return {
        ...domain,
        signals: [...signals, addedSignal(edit)],
      }
    case 'remove':
      return { ...domain, signals: signals.filter((_, at) => at !== edit.signal) }
    case 'priority':
      return { ...domain, priority: edit.priority }
    case 'minSignals':
      return { ...domain, minSignals: edit.value ?? undefined }
    case 'breakMinSignals':
      return { ...domain, breakMinSignals: edit.value }
  }
}

function addedSignal({ id, pattern, note }: Extract<DraftEdit, { kind: 'add' }>): SignalEntry {
  if (id === null) return pattern
  return note === undefined ? { id, pattern } : { id, pattern, note }
}

function withPattern(entry: SignalEntry, pattern: string): SignalEntry {
  return typeof entry === 'string' ? pattern : { ...entry, pattern }
}
