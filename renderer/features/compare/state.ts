import type { HostInfo } from '../../../core/wire/contract.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { type CompareChoice, compareValue } from '../../app/compared.ts'
import { chooseCompare, chooseRun, compareWith } from '../../app/replay.ts'
import type { Answer } from '../../app/question.ts'
import { type RunChoice, patchView, store } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { draftOf, isChanged } from '../../stores/lab/sides.ts'
import { lab } from '../../stores/lab/store.ts'
import { draftText } from '../../stores/drafts/draft.ts'

/** One thing that can be compared with, as the picker lists it. */
export interface SideOption {
  readonly value: string
  readonly label: string
  readonly group: 'This session' | 'Presets' | 'Domain files' | 'Revisions'
}

export type Revision = Pick<Answer<'git.revisions'>['revisions'][number], 'revision' | 'subject'>

const HASH_CHARS = 8

/** All sides there are: what ran, the draft, other presets and files, revisions of the file. */
export function sideOptions(
  info: Immutable<HostInfo>,
  run: RunChoice,
  changed: boolean,
  revisions: readonly Revision[],
): readonly SideOption[] {
  return [
    { value: 'observed', label: 'what ran, as the file recorded it', group: 'This session' },
    ...(changed ? [{ value: 'draft', label: 'the draft', group: 'This session' } as const] : []),
    ...info.presets
      .filter(({ name }) => name !== run.preset)
      .map(({ name }) => ({ value: name, label: name, group: 'Presets' as const })),
    ...info.domainFiles
      .filter(({ name }) => name !== run.domains)
      .map(({ name }) => ({
        value: `domains:${name}`,
        label: name,
        group: 'Domain files' as const,
      })),
    ...revisions.map(({ revision, subject }) => ({
      value: `revision:${revision}`,
      label: `${revision.slice(0, HASH_CHARS)} ${subject}`,
      group: 'Revisions' as const,
    })),
  ]
}

/** [L50] The choice of the panel is that of the header, the list and Decision. */
export function chooseSide(value: string): void {
  if (value === 'draft') compareWith(draftChoice())
  else chooseCompare(value === '' ? null : value)
}

/** The current draft; null if nothing was changed. */
function draftChoice(): CompareChoice | null {
  const { run } = store.getState().view
  const state = lab.getState()
  if (!isChanged(state)) return null
  return { ...run, over: { kind: 'draft', draft: draftOf(state, run) } }
}

/** Both sides are configurations: the other one may be the one in force. */
export function canSwap(compare: CompareChoice | null): boolean {
  return compare?.over === null
}

/** The other side is in force then, and compared with the one before. */
export function swapSides(): void {
  const { run, compare } = store.getState().view
  if (compare?.over !== null) return
  const { preset, domains } = compare
  const back: CompareChoice = { ...run, over: null }
  compareWith(null)
  chooseRun({ preset, domains })
  const now = store.getState().view.run
  if (compareValue(back, now) !== now.preset) compareWith(back)
}

/** Debounce before comparing the session with the edited draft, in ms. */
const SETTLE_MS = 400

/** Compares again after edits while the draft is the other side. Stops comparing when the draft is gone. */
export function followDraft(): void {
  const due = createDelay()
  const isCompared = () => store.getState().view.compare?.over?.kind === 'draft'
  lab.subscribe((state, past) => {
    const isSame = state.text === past.text && state.options === past.options
    if ((isSame && state.file === past.file) || !isCompared()) return
    // While the file is loaded there is no text yet.
    if (valueOf(state.file) === null) return
    due.restart(() => {
      if (isCompared()) compareWith(draftChoice())
    }, SETTLE_MS)
  })
}

/**
 * [U100] A link that compares with the draft means the unsaved draft of its domain file. The draft is loaded once the
 * session is open. If none exists, the page says so.
 */
export function followWantedDraft(): void {
  let isAsking = false
  const isWanted = () => {
    const { view, document } = store.getState()
    return view.draftWanted && document.opened.status === 'ready'
  }
  const ask = async () => {
    const { domains } = store.getState().view.run
    await draftText()
    isAsking = false
    if (!isWanted()) return
    const { run } = store.getState().view
    // Another domain file was chosen meanwhile, so its draft is loaded.
    if (run.domains !== domains) {
      look()
      return
    }
    const choice = draftChoice()
    if (choice !== null) compareWith(choice)
    else patchView({ draftWanted: false, notice: noDraft(domains) })
  }
  const look = () => {
    if (isAsking || !isWanted()) return
    isAsking = true
    void ask()
  }
  store.subscribe(look)
}

function noDraft(domains: string): Failure {
  return {
    what: 'The link compares with a draft, and there is none here',
    where: `domain file ${domains}`,
    do: 'Edit the domain file in Tune, or choose another side.',
  }
}
