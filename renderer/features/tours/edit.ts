import type { TourEdit } from '../../../core/engine/schema/tour.ts'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { failureOf, host } from '../../app/host.ts'
import { lab, patchLab } from '../../stores/lab/store.ts'
import { draftText, replaceText } from '../../stores/drafts/draft.ts'
import { patchTours, tours } from './store.ts'
import { act } from '../../app/tell.ts'

/** The signal of a stop in the turn's own trace; null if the domain file has no such signal. */
function signalOf({ domain, signal }: TourEdit, { domains }: TurnTrace) {
  const signals = domains.find((one) => one.domain === domain)?.signals ?? []
  return signals.find(({ id }) => id === signal) ?? null
}

/** [U134] Opens Tune at the signal of a stop; the keyboard stays with the tour. */
export function showSignalOf(edit: TourEdit, trace: TurnTrace): void {
  const found = signalOf(edit, trace)
  if (found === null) return
  const { index, pattern } = found
  act('edit-traced-signal', { domain: edit.domain, index, pattern, focus: false })
}

/** [U134] Makes a stop's edit in the draft. Runs only on the operator's press. */
export async function makeEdit(edit: TourEdit, trace: TurnTrace): Promise<void> {
  const found = signalOf(edit, trace)
  const before = await draftText()
  if (found === null || before === null || edit.pattern === undefined) return
  const { domain } = edit
  try {
    const asked = { text: before, domain, signal: found.index, pattern: found.pattern }
    const { signal } = await host().call('draft.line', asked)
    if (signal === null) return
    const change =
      edit.pattern === null
        ? { kind: 'remove' as const, domain, signal }
        : { kind: 'pattern' as const, domain, signal, pattern: edit.pattern }
    const { text: after } = await host().call('draft.edit', { text: before, edit: change })
    replaceText(after)
    patchTours({ edit: { before, after } })
  } catch (error) {
    patchLab({ notice: failureOf(error, domain) })
  }
}

/** [U134] Restores the draft, unless the operator has edited it since. */
export function takeEditBack(): void {
  const { edit } = tours.getState()
  if (edit === null) return
  patchTours({ edit: null })
  if (lab.getState().text === edit.after) replaceText(edit.before)
}
