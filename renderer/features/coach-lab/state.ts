import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { CoachEstimate } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import type { Output } from '../../../core/wire/rpc.ts'
import {
  type AsyncData,
  advanced,
  failed,
  idle,
  loading,
  ready,
  valueOf,
} from '../../app/async-data.ts'
import { loadVerdicts, outputOfSelection, refreshOutput, sessionAddress } from '../coach/coach.ts'
import { failureOf, host } from '../../app/host.ts'
import { startSession } from '../../app/replay.ts'
import { selectSeq } from '../../app/select.ts'
import { emptyLink } from '../../app/link.ts'
import { patchView, store } from '../../app/store.ts'

export type CoachFiles = Immutable<Output<TurnscopeContract, 'coach.files'>>
export type LabResult = Immutable<
  Extract<Output<TurnscopeContract, 'coach.lab'>, { kind: 'result' }>
>
export type LabRow = LabResult['rows'][number]

/** What is edited: null = as on disk. */
export interface Draft {
  readonly system: string | null
  readonly rules: string | null
}

export const noDraft: Draft = { system: null, rules: null }

/** What the lab runs on. */
export type Scope = 'labelled' | 'session' | 'selected'

export interface LabQuestion {
  readonly draft: Draft
  readonly use: 'rules' | 'model'
  readonly scope: Scope
  /** The selected output, for that scope. */
  readonly text: string | null
}

/** A draft that says what the file says is none. */
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

export async function loadFiles(): Promise<CoachFiles> {
  return host().call('coach.files', {})
}

/** Writes the draft into the workspace; verdicts on screen follow. */
export async function saveDraft(draft: Draft): Promise<void> {
  await host().call('coach.save', { ...draft })
  void loadVerdicts().then(() => refreshOutput(true))
}

/** The text of the output that belongs to the selection; null when there is none. */
export async function selectedText(): Promise<string | null> {
  const nearest = outputOfSelection()
  const address = sessionAddress()
  if (!nearest || !address) return null
  return (await host().call('coach.output', { ...address, seq: nearest.seq })).text
}

/** What the lab judges, as the host is asked. */
function scopeOf({ draft, scope, text }: Omit<LabQuestion, 'use'>) {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  const here = opened && { key: opened.key, session: session.index }
  return {
    draft: { ...draft },
    text: scope === 'selected' ? text : null,
    session: scope === 'session' ? here : null,
  }
}

/** What the lab on a model would send and cost. Sends nothing. */
export function estimateLab(
  question: Omit<LabQuestion, 'use'>,
  signal: AbortSignal,
): Promise<CoachEstimate> {
  return host().call('coach.labEstimate', scopeOf(question), signal)
}

/**
 * Runs the lab and tells its state; returns how to stop it. Only `use: 'model'` may send anything.
 */
export function runLab(
  { draft, use, scope, text }: LabQuestion,
  told: (data: AsyncData<LabResult>) => void,
): () => void {
  let data: AsyncData<LabResult> = loading(idle)
  const put = (next: AsyncData<LabResult>) => {
    data = next
    told(next)
  }
  put(data)
  return host().subscribe(
    'coach.lab',
    { ...scopeOf({ draft, scope, text }), use },
    {
      next: (message) =>
        put(message.kind === 'progress' ? advanced(data, message) : ready(message)),
      error: (error) => put(failed(failureOf(error, 'Coach lab'))),
      end: () => undefined,
    },
  )
}

/** Where a row of the lab can be opened: its session in the opened file; null when it is not there. */
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
  refreshOutput()
}
