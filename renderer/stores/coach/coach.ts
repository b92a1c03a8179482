import { type TurnOutput, outputAt } from '../../../core/engine/schema/turn-output.ts'
import type { CoachLabel } from '../../../core/engine/schema/coach-wire.ts'
import type { CoachTask } from '../../../core/engine/schema/coach.ts'
import { valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { followed } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { patchView, store } from '../../app/store.ts'
import { isSettled } from '../../app/selectors.ts'
import { sessionAddress } from '../../app/wire.ts'
import { coachPlace, coachStore, patchCoach } from './store.ts'

/** The session in view, with its task if the operator gave one (V61). */
export function coachAddress() {
  const address = sessionAddress()
  const task = address && coachStore.getState().tasks.get(taskKey(address))
  return address && { ...address, ...(task ? { task } : {}) }
}

function taskKey({ key, session }: { readonly key: string; readonly session: number }): string {
  return `${key} ${session}`
}

/** Sets the task of the session in view; null restores the transcript's task. */
export function giveTask(task: CoachTask | null): void {
  const address = sessionAddress()
  if (!address) return
  const tasks = new Map(coachStore.getState().tasks)
  if (task) tasks.set(taskKey(address), task)
  else tasks.delete(taskKey(address))
  patchCoach({ tasks })
}

/**
 * The session in view, once it is replayed, because the replay has priority. Verdicts depend on the transcript and on
 * the coach's own files, not on how turns are decided.
 */
function replayedSession() {
  const { document, session } = store.getState()
  const address = coachAddress()
  const replayed = valueOf(session.replay)
  return address && replayed && { address, replayed, generation: String(document.generation) }
}

/** Verdicts of the session in view, requested again when it has grown. Never calls a model. */
const verdicts = followed({
  place: coachPlace('columns'),
  keepWhenFailed: false,
  watch: [store, coachStore],
  question: () => {
    const about = replayedSession()
    if (!about) return null
    if (!isSettled(store.getState())) return undefined
    const { address, generation, replayed } = about
    const where = 'The verdicts of this session'
    const question = call('coach.session', address, {
      where,
      of: `${generation} ${replayed.events}`,
    })
    return { ...question, topic: `${address.key} ${address.session} ${generation}` }
  },
})

/** Beginnings of all outputs, requested while the list of verdicts is open. */
const previews = followed({
  place: coachPlace('previews'),
  watch: [store, coachStore],
  question: () => {
    const about = replayedSession()
    if (!about) return null
    if (store.getState().view.dock !== 'verdicts') return undefined
    const { address, generation, replayed } = about
    const of = `${generation} ${replayed.events}`
    return call('coach.previews', address, { where: 'The list of verdicts', of })
  },
})

/** The output that the tab shows for the selection. */
const output = followed({
  place: coachPlace('output'),
  watch: [store, coachStore],
  question: () => {
    const about = replayedSession()
    if (!about || !valueOf(coachStore.getState().columns)) return null
    const nearest = outputOfSelection()
    return store.getState().view.tab === 'coach' && nearest ? outputOf(nearest.seq) : undefined
  },
})

function outputOf(seq: number) {
  const address = coachAddress()
  const of = String(store.getState().document.generation)
  return address && call('coach.output', { ...address, seq }, { where: `Event ${seq + 1}`, of })
}

/** The text of the output that belongs to the selection; null if there is no output. */
export function selectedText() {
  const nearest = outputOfSelection()
  const question = nearest && outputOf(nearest.seq)
  return question && mapped(question, ({ text }) => text)
}

/** The output that belongs to the selection; null if there is no output. */
export function outputOfSelection(): TurnOutput | null {
  const { session, view } = store.getState()
  const seqs = valueOf(coachStore.getState().columns)?.seq
  const turns = valueOf(session.replay)?.columns.seq
  return view.selected === null || !seqs ? null : outputAt(seqs, turns ?? [], view.selected)
}

/** Something that verdicts hang on has changed, or they could not be had. */
export async function judgeAgain(): Promise<void> {
  await Promise.all([verdicts.again(), output.again(), previews.again()])
}

/** Sets or removes the label of an output; verdicts and the tab follow. */
export async function labelOutput(seq: number, label: CoachLabel | null): Promise<void> {
  const address = coachAddress()
  if (!address) return
  try {
    await host().call('coach.label', { ...address, seq, label })
    await judgeAgain()
  } catch (error) {
    patchView({ notice: failureOf(error, 'The label of this output') })
  }
}

/** Settings of the coach: read with the first look at the host, and when they are to be changed. */
const settings = followed({
  place: coachPlace('settings'),
  watch: [store],
  question: () => {
    if (!valueOf(store.getState().document.info)) return undefined
    const question = call('settings.get', {}, { where: 'Settings of the coach' })
    return mapped(question, ({ coach }) => coach)
  },
})

export async function loadCoachSettings(): Promise<void> {
  await settings.again()
}
