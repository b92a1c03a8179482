import { err, ok, type Result } from '../../engine/result.ts'
import type { DomainFile, SignalEntry } from '../../engine/schema/domain.ts'
import type { DomainEdit } from '../../engine/schema/domain-edit.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { fingerprintOf } from '../../host/platform/files/fingerprint.ts'
import type { DataFileRef } from '../../host/workspace/data-kinds.ts'
import { addMadeFrom } from '../../host/drafts/session/made-from.ts'
import { editDomainText } from '../../host/drafts/session/draft-edit.ts'
import { withWeights } from '../../host/drafts/session/weight-edit.ts'
import type { Sides } from '../../host/drafts/sides.ts'
import { CommandError, valueOrFail } from '../kit/output.ts'

/** A domain file that is not saved. */
interface Draft {
  readonly id: string
  readonly config: ReplayConfig
  readonly file: DataFileRef
  readonly text: string
  /** Of the saved text that it was made from: only over that one it may be written. */
  readonly fingerprint: string
  readonly edits: readonly DomainEdit[]
  /** [L101] Sources of the labels that the draft was compared with. Its signals are made from them. */
  readonly sources: ReadonlySet<string>
  /** Sessions and labels that it was tried over last; null = those of the workspace. */
  readonly over: Over | null
}

/** Paths of sessions and of labels, as `try_edit` was given them. */
export interface Over {
  readonly paths: readonly string[] | undefined
  readonly labels: readonly string[] | undefined
}

/** [F160] Edits that an agent tries; they are in memory alone, and gone with the server. */
export interface Drafts {
  get(id: string): Draft
  /** A new draft: `edits` over another draft, or over the file as it is saved. */
  begin(base: ReplayConfig | Draft, edits: readonly DomainEdit[]): Promise<Draft>
  /** It was held against labels of these sources. */
  sawLabels(id: string, sources: Iterable<string>, over: Over): void
}

/** Drafts kept; the oldest go. */
const KEPT = 50

export function createDrafts(sides: Sides): Drafts {
  const drafts = new Map<string, Draft>()
  let made = 0

  const keep = (draft: Draft) => drafts.set(draft.id, draft)

  return {
    sawLabels: (id, sources, over) => {
      const found = drafts.get(id)
      if (found !== undefined)
        keep({ ...found, over, sources: new Set([...found.sources, ...sources]) })
    },
    get: (id) => {
      const found = drafts.get(id)
      if (found !== undefined) return found
      const advice = 'Make one with try_edit; drafts are gone when the server ends'
      throw new CommandError({ what: 'there is no such draft', where: `draft "${id}"`, do: advice })
    },
    begin: async (base, edits) => {
      const from = 'id' in base ? base : await savedAs(sides, base)
      const text = edits.reduce((all, edit) => valueOrFail(edited(sides, all, edit)), from.text)
      made += 1
      const draft = { ...from, id: `d${made}`, text, edits: [...from.edits, ...edits] }
      keep(draft)
      for (const id of [...drafts.keys()].slice(0, -KEPT)) drafts.delete(id)
      return draft
    },
  }
}

async function savedAs(sides: Sides, config: ReplayConfig): Promise<Omit<Draft, 'id'>> {
  const { file, text } = valueOrFail(await sides.saved(config))
  return {
    config,
    file,
    text,
    fingerprint: fingerprintOf(text),
    edits: [],
    sources: new Set(),
    over: null,
  }
}

/**
 * [L101] The text to write. It includes the sources of the labels that its signals are made from, if the file has a
 * field for them.
 */
export function writtenText({ text, edits, sources }: Draft): string {
  if (!edits.some(({ kind }) => MADE.has(kind))) return text
  const named = addMadeFrom(text, [...sources])
  return named.ok ? named.value : text
}

/** Edits that labels may have caused by their words. */
const MADE: ReadonlySet<DomainEdit['kind']> = new Set(['add', 'pattern', 'weight'])

/** Applies one edit to the text. All other text stays, including comments (T45). */
function edited(sides: Sides, text: string, edit: DomainEdit): Result<string> {
  if (!('signal' in edit)) {
    if (edit.kind !== 'add') return editDomainText(text, edit)
    const { id = null, note, ...rest } = edit
    return editDomainText(text, { ...rest, id, ...(note === undefined ? {} : { note }) })
  }
  const { domain } = edit
  const found = placeOf(sides.read(text).value, edit)
  if (!found.ok) return found
  const signal = found.value
  switch (edit.kind) {
    case 'pattern':
      return editDomainText(text, { kind: 'pattern', domain, signal, pattern: edit.pattern })
    case 'remove':
      return editDomainText(text, { kind: 'remove', domain, signal })
    case 'weight':
      return withWeights(text, [{ domain, index: signal, weight: edit.weight }], [])
  }
}

const idOf = (entry: SignalEntry): string | undefined =>
  typeof entry === 'string' ? undefined : entry.id

/** Index of a signal that is named by id or by number from 1. */
function placeOf(
  file: DomainFile | null,
  { domain: name, signal }: { readonly domain: string; readonly signal: string | number },
): Result<number> {
  const where = `domain "${name}"`
  const domain = file?.domains.find((each) => each.name === name)
  if (domain === undefined)
    return err({ what: 'there is no such domain', where, do: 'list_domains says which there are' })
  // `domain/id`, as answers name signals.
  const id = String(signal).startsWith(`${name}/`) ? String(signal).slice(name.length + 1) : signal
  const byId = domain.signals.findIndex((entry) => idOf(entry) === id)
  if (byId >= 0) return ok(byId)
  const number = Number(id)
  if (Number.isInteger(number) && number >= 1 && number <= domain.signals.length)
    return ok(number - 1)
  const what = `it has no signal ${JSON.stringify(signal)}`
  return err({ what, where, do: 'list_domains with this domain says its signals' })
}
