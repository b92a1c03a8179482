import { createStore } from 'zustand/vanilla'
import { CONSENSUS } from '../../../core/engine/lab/readers/readings.ts'
import type { SessionOutcome, TurnLabel } from '../../../core/engine/schema/label.ts'
import { type Judgeable, answerFor, isForbidden } from '../../../core/engine/lab/metrics/label.ts'
import { ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { followed } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { sessionAddress } from '../../app/wire.ts'
import { type LabelPress, labelAction } from './label-keys.ts'
import { paneWithKeys } from '../../app/pane-keys.ts'
import { reader } from './reader.ts'
import { onSaved } from '../../app/saved.ts'
import { reopenCorpus, sessionInView } from '../lab/corpus.ts'
import { type LabTurn, type ShownLabels, lab, patchLab, labPlace } from '../lab/store.ts'
import { flipsSoon } from '../flips/flips.ts'
import { selectSeq } from '../../app/select.ts'
import { domainNames, selectedTurn, turnOf } from '../../app/selectors.ts'
import { type Replayed, store } from '../../app/store.ts'

/** The operator's judgement of a turn. The host adds its place. */
export type Judgement = Omit<TurnLabel, 'event' | 'sha256' | 'session'>
type Outcome = Omit<SessionOutcome, 'session'>

/** Labels of the session in view. */
const followedLabels = followed<ShownLabels>({
  place: labPlace('labels'),
  keepWhenFailed: false,
  watch: [store, reader],
  question: () => {
    const where = sessionAddress()
    // Nothing between two sessions: labels of the one before say nothing about this one.
    if (!where || !valueOf(store.getState().session.events)) return null
    const asked = { ...where, by: reader.getState().name }
    const question = call('labels.get', asked, { where: 'Labels' })
    return mapped(question, ({ labels, ...rest }) => {
      return { ...where, ...rest, bySeq: new Map(labels.map(({ seq, label }) => [seq, label])) }
    })
  },
})

/** A list that turns are labelled from, and the fields that it adds to their labels. */
export interface LabelledFrom {
  /** Returns the origin of a label. */
  readonly viaOf: (seq: number) => Pick<TurnLabel, 'via'>
  /** Is the label that is being given the one on which readers settle? */
  readonly isSettling: () => boolean
  /** A turn was labelled, or its label removed. */
  readonly noteLabel: (seq: number, label: Judgement | null) => void
}

const lists: LabelledFrom[] = []

/** Labels are given from this list too. */
export function labelFrom(list: LabelledFrom): void {
  lists.push(list)
}

/** Labels being written by this window. Until they are stored, the host's version is older than the one shown. */
const writes = createWrites()

function createWrites() {
  let underWay = 0
  let isMissed = false
  const look = async () => {
    if (underWay > 0) {
      isMissed = true
      return
    }
    isMissed = false
    const before = shown()
    await followedLabels.again()
    // The corpus has its own labels, which this window did not write.
    if (before && !isSame(before, shown()) && lab.getState().corpus.status === 'ready')
      reopenCorpus()
  }
  const during = async (write: () => Promise<unknown>) => {
    underWay += 1
    try {
      await write()
    } finally {
      underWay -= 1
      if (isMissed) void look()
    }
  }
  return { look, during }
}

/** Compares labels in any order, because a new label is added at the end here. */
function isSame(a: ShownLabels, b: ShownLabels | null): boolean {
  const inOrder = ({ bySeq }: ShownLabels) => [...bySeq].toSorted(([one], [two]) => one - two)
  const said = (of: ShownLabels | null) =>
    of && JSON.stringify([of.key, of.session, of.outcome, inOrder(of).map(judged)])
  return said(a) === said(b)
}

/** Without the hash, which the host adds. */
function judged([seq, label]: readonly [number, TurnLabel]) {
  return [seq, Object.entries({ ...judgementOf(label) }).toSorted()]
}

/** [U77] Labels that another window writes are seen here. */
export function followLabels(): void {
  onSaved('labels', () => void writes.look())
}

function shown(): ShownLabels | null {
  return valueOf(lab.getState().labels)
}

function put(seq: number, label: TurnLabel | undefined): void {
  const known = shown()
  if (!known) return
  const bySeq = new Map(known.bySeq)
  if (label) bySeq.set(seq, label)
  else bySeq.delete(seq)
  patchLab({ labels: ready({ ...known, bySeq }) })
}

/**
 * [T53] Sets the label of an event, or removes it if null. The change is shown immediately and reverted if it cannot be
 * written.
 */
export async function setLabel(seq: number, judgement: Judgement | null): Promise<void> {
  const known = shown()
  if (!known) return
  const before = known.bySeq.get(seq)
  await write(seq, judgement && signedBy({ ...judgement, ...viaOf(seq) }, before))
}

/** A change of a label that can be taken back. */
export interface LabelStep {
  readonly key: string
  readonly session: number
  readonly seq: number
  readonly before: Judgement | null
  readonly after: Judgement | null
}

/** [U223] Changes of labels by this window, the latest last. */
export const labelSteps = createStore<{ readonly steps: readonly LabelStep[] }>(() => ({
  steps: [],
}))
const MOST_STEPS = 100

/** The change that undo takes back: the latest, if it is of the session in view. */
export function lastStep(): LabelStep | null {
  const step = labelSteps.getState().steps.at(-1)
  const known = shown()
  const isHere = step && known && step.key === known.key && step.session === known.session
  return isHere === true ? step : null
}

/** [U223] Removes a label that was given, or restores the one that was there before. */
export async function undoLabel(): Promise<void> {
  const step = lastStep()
  if (step === null) return
  labelSteps.setState(({ steps }) => ({ steps: steps.slice(0, -1) }))
  selectSeq(step.seq)
  await write(step.seq, step.before, false)
}

const viaOf = (seq: number) =>
  lists.reduce<Pick<TurnLabel, 'via'>>((via, list) => ({ ...via, ...list.viaOf(seq) }), {})

const noteLabel: LabelledFrom['noteLabel'] = (seq, label) => {
  for (const list of lists) list.noteLabel(seq, label)
}

async function write(seq: number, signed: Judgement | null, isStep = true): Promise<void> {
  const known = shown()
  if (!known) return
  const before = known.bySeq.get(seq)
  const step = { key: known.key, session: known.session, seq }
  const whole = { ...step, before: judgementOf(before), after: signed }
  if (isStep) labelSteps.setState(({ steps }) => ({ steps: [...steps, whole].slice(-MOST_STEPS) }))
  // The hash is the host's to compute; until it answers the label is only shown.
  put(seq, signed ? { ...signed, event: seq, sha256: before?.sha256 ?? '' } : undefined)
  noteLabel(seq, signed)
  try {
    const where = { key: known.key, session: known.session, seq }
    const label = signed && wireLabel(signed)
    const by = before?.by ?? null
    await writes.during(() => host().call('labels.set', { ...where, label, by }))
    written()
  } catch (error) {
    put(seq, before)
    noteLabel(seq, before ?? null)
    // A step that was not written cannot be undone.
    labelSteps.setState(({ steps }) => ({ steps: steps.filter((one) => one !== whole) }))
    patchLab({ notice: failureOf(error, known.file) })
  }
}

/**
 * [L85] [L86] Signs a label with the reader's name. Disagreements between readers, and labels settled before, are
 * signed as the consensus.
 */
function signedBy(judgement: Judgement, before: TurnLabel | undefined): Judgement {
  const rest = { ...judgement }
  Reflect.deleteProperty(rest, 'by')
  const name = reader.getState().name
  if (lists.some((list) => list.isSettling()) || before?.by === CONSENSUS)
    return { ...rest, by: CONSENSUS }
  return name === null ? rest : { ...rest, by: name }
}

function written(): void {
  patchLab({ revision: lab.getState().revision + 1 })
  flipsSoon()
}

/** Lists travel as arrays that may be written to. */
function wireLabel({ acceptable, forbidden, via, ...rest }: Judgement) {
  return {
    ...rest,
    ...(via ? { via: { ...via } } : {}),
    ...(acceptable && acceptable.length > 0 ? { acceptable: [...acceptable] } : {}),
    ...(forbidden && forbidden.length > 0 ? { forbidden: [...forbidden] } : {}),
  }
}

/** Fields that the host adds to a judgement. `type` is included, or each label would look like another window's. */
const PLACE: ReadonlySet<string> = new Set(['type', 'event', 'sha256', 'session'])

function judgementOf(label: TurnLabel | undefined): Judgement | null {
  if (!label) return null
  const own = Object.entries(label).filter(([name]) => !PLACE.has(name))
  // Omits the fields that give the label's place.
  return Object.fromEntries(own) as Judgement
}

export function labelAt(seq: number | null): TurnLabel | null {
  return seq === null ? null : (shown()?.bySeq.get(seq) ?? null)
}

/** Gives the turn a primary; the same again takes the label away. */
export function labelPrimary(seq: number, primary: string): void {
  const now = judgementOf(shown()?.bySeq.get(seq))
  if (now?.primary === primary) {
    void setLabel(seq, null)
    return
  }
  const rest = now && {
    ...now,
    acceptable: now.acceptable?.filter((name) => name !== primary),
    forbidden: now.forbidden?.filter((name) => name !== primary),
  }
  void setLabel(seq, clean({ ...rest, primary }))
}

type Loose = { [K in keyof Judgement]: Judgement[K] | undefined } & { readonly primary: string }

/** Without what says nothing. */
function clean(label: Loose): Judgement {
  const entries = Object.entries(label).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  // Only undefined values and empty lists were taken out, and `primary` is neither.
  return Object.fromEntries(entries) as Judgement
}

/** Cycles from unset to acceptable, to forbidden, to unset. */
export function cycleOther(seq: number, domain: string): void {
  const now = judgementOf(shown()?.bySeq.get(seq))
  if (!now || now.primary === domain) return
  const acceptable = now.acceptable ?? []
  const forbidden = now.forbidden ?? []
  if (acceptable.includes(domain))
    patchLabel(seq, {
      acceptable: acceptable.filter((name) => name !== domain),
      forbidden: [...forbidden, domain],
    })
  else if (forbidden.includes(domain))
    patchLabel(seq, { forbidden: forbidden.filter((name) => name !== domain) })
  else patchLabel(seq, { acceptable: [...acceptable, domain] })
}

/** Changes a part of a label that is there; undefined takes the part away. */
export function patchLabel(
  seq: number,
  patch: { [K in keyof Judgement]?: Judgement[K] | undefined },
): void {
  const now = judgementOf(shown()?.bySeq.get(seq))
  if (!now) return
  const { primary, ...rest } = { ...now, ...patch }
  void setLabel(seq, clean({ ...rest, primary: primary ?? now.primary }))
}

export async function setOutcome(outcome: Outcome | null): Promise<void> {
  const known = shown()
  if (!known) return
  patchLab({ labels: ready({ ...known, outcome: outcome && { ...outcome } }) })
  try {
    const where = { key: known.key, session: known.session }
    await writes.during(() => host().call('labels.outcome', { ...where, outcome }))
    written()
  } catch (error) {
    patchLab({ labels: ready(known), notice: failureOf(error, known.file) })
  }
}

/** Result of a decision against a label: right, acceptable, wrong or forbidden. */
export type Verdict = 'right' | 'acceptable' | 'wrong' | 'forbidden'

export function judge(
  label: TurnLabel,
  given: Judgeable & { readonly secondary: string | null },
): Verdict {
  const { primary, secondary, fires } = given
  if (isForbidden(label, primary, secondary, fires)) return 'forbidden'
  const answer = answerFor(label, given)
  if (label.primary === answer) return 'right'
  return label.acceptable?.includes(answer) ? 'acceptable' : 'wrong'
}

/** [U220] Labels of turns: under another preset an event with a label may be no turn. */
export function labelledTurns({ bySeq }: ShownLabels, { columns }: Replayed): number {
  return [...bySeq.keys()].filter((seq) => turnOf(columns, seq) !== undefined).length
}

/** Selects the next (`by` 1) or previous turn without a label, from the one selected on; stays where all have one. */
export function stepUnlabelled(by: 1 | -1): void {
  const replayed = valueOf(store.getState().session.replay)
  if (!replayed) return
  const { selected } = store.getState().view
  const known = shown()
  const { seq } = replayed.columns
  const from = selected === null ? -1 : (turnOf(replayed.columns, selected) ?? -1)
  for (let turn = from + by; turn >= 0 && turn < seq.length; turn += by) {
    const at = seq[turn]
    if (at !== undefined && known?.bySeq.has(at) !== true) {
      selectSeq(at)
      return
    }
  }
}

/** True if a turn in a lab list can be labeled, that is, if its session is in view. */
export function canLabel(turn: Pick<LabTurn, 'session'>): boolean {
  const corpus = valueOf(lab.getState().corpus)
  return corpus !== null && sessionInView(corpus, store.getState()) === turn.session
}

/** Panels of the dock in which the keys of labels work. */
const LABELLING: ReadonlySet<string> = new Set(['label', 'queue'])

/** [U221] Runs a key of labels on the selected turn; false if the panel does not have the keyboard. */
export function labelByKey(press: LabelPress & Pick<KeyboardEvent, 'target'>): boolean {
  const state = store.getState()
  const { dock, selected } = state.view
  if (!LABELLING.has(dock ?? '') || paneWithKeys(press.target) !== dock) return false
  if (selectedTurn(state) === null || selected === null) return false
  const action = labelAction(press)
  if (!action) return false
  if (action.kind === 'clear') {
    if (!labelAt(selected)) return false
    void setLabel(selected, null)
    return true
  }
  const domain = domainNames(state)[action.domain]
  if (domain === undefined) return false
  if (action.kind === 'primary') labelPrimary(selected, domain)
  else cycleOther(selected, domain)
  return true
}
