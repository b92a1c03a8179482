import type { OutputType } from '../../../core/engine/schema/coach.ts'
import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { emptyLink } from '../../app/link.ts'
import { type Answer, type Question, call, stream } from '../../app/question.ts'
import { startSession } from '../../app/replay.ts'
import { selectSeq } from '../../app/select.ts'
import { patchView, store } from '../../app/store.ts'
import { sessionAddress } from '../../app/wire.ts'
import { judgeAgain } from '../../stores/coach/coach.ts'

/** Which rows are listed. */
export type Filter =
  | { readonly kind: 'changed' | 'wrong' | 'all' | 'harmful' }
  | { readonly kind: 'cell'; readonly label: OutputType; readonly verdict: OutputType }

/** A reject that was passed, or a question that was continued. */
export const isHarmful = ({ label, after }: LabRow) =>
  (label === 'status' && after.type !== 'status') ||
  (label === 'question' && after.type === 'status')

/** Whether a filter lists a row. */
export function shows(filter: Filter, row: LabRow): boolean {
  switch (filter.kind) {
    case 'all':
      return true
    case 'changed':
      return row.before !== null && row.before.type !== row.after.type
    case 'wrong':
      return row.label !== null && row.label !== row.after.type
    case 'harmful':
      return isHarmful(row)
    case 'cell':
      return row.label === filter.label && row.after.type === filter.verdict
  }
}

export type CoachFiles = Answer<'coach.files'>
export type LabResult = Answer<'coach.lab'>
export type LabRow = LabResult['rows'][number]

export type CoachTexts = Pick<CoachFiles, 'system' | 'rules'>

/** [F20] True if a file that the draft would write has changed on disk. */
export function isConflict(draft: Draft, base: CoachTexts, now: CoachTexts): boolean {
  return (['system', 'rules'] as const).some(
    (name) => draft[name] !== null && base[name] !== now[name] && draft[name] !== now[name],
  )
}

/** The edited files; null means as on disk. */
export interface Draft {
  readonly system: string | null
  readonly rules: string | null
}

export const noDraft: Draft = { system: null, rules: null }

/** The outputs that the lab runs on. */
export type Scope = 'labelled' | 'session' | 'selected'

export interface LabQuestion {
  readonly draft: Draft
  readonly use: 'rules' | 'model'
  readonly scope: Scope
  /** The selected output, for that scope. */
  readonly text: string | null
}

/** A draft with a changed text; the text of the file itself is no change. */
export function withText(
  draft: Draft,
  files: Pick<CoachFiles, 'system' | 'rules'>,
  [name, text]: readonly ['system' | 'rules', string],
): Draft {
  return { ...draft, [name]: text === files[name] ? null : text }
}

export function isChanged(draft: Draft): boolean {
  return draft.system !== null || draft.rules !== null
}

/** The workspace's prompt and rules. */
export const FILES = call('coach.files', {}, { where: 'The coach’s prompt and rules' })

/** Writes the draft into the workspace; verdicts on screen follow. */
export async function saveDraft(draft: Draft, { system, rules }: CoachTexts): Promise<void> {
  await host().call('coach.save', { ...draft, base: { system, rules } })
  void judgeAgain()
}

/** The lab's scope and draft, as input of the call. */
function scopeOf({ draft, scope, text }: Omit<LabQuestion, 'use'>) {
  return {
    draft: { ...draft },
    text: scope === 'selected' ? text : null,
    session: scope === 'session' ? sessionAddress() : null,
  }
}

/** Estimates the data and cost of a lab run with a model. Sends nothing. */
export function estimating(question: Omit<LabQuestion, 'use'>) {
  return call('coach.labEstimate', scopeOf(question), { where: 'The estimate' })
}

/** Judging by a draft. Only `use: 'model'` may send anything. */
export function judging({ use, ...question }: LabQuestion): Question<LabResult> {
  return stream('coach.lab', { ...scopeOf(question), use }, { where: 'Coach lab' })
}

/** The place at which to open a lab row: its session in the opened file. Null if it is not there. */
export function placeOfRow({ from, id, seq }: LabRow): { index: number; seq: number } | null {
  if (from !== 'session' || seq === null) return null
  const sessions = valueOf(store.getState().document.opened)?.sessions ?? []
  const index = sessions.findIndex((session) => session.id === id)
  return index < 0 ? null : { index, seq }
}

/** Closes the lab and shows a row's output in the Coach tab. */
export function openRow(row: LabRow): void {
  const place = placeOfRow(row)
  if (!place) return
  patchView({ dialog: null, tab: 'coach', show: 'all' })
  if (store.getState().session.index === place.index) selectSeq(place.seq)
  else startSession(place.index, { ...emptyLink, event: place.seq, tab: 'coach' })
}
