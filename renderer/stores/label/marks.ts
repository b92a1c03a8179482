import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import type { Mark } from '../../../core/wire/contract.ts'
import { valueOf } from '../../app/async-data.ts'
import { createQuery } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { inForce } from '../../app/wire.ts'
import { draftOf, textChanged } from '../lab/sides.ts'
import { lab, patchLab } from '../lab/store.ts'

const PAUSE_MS = 60

interface Found {
  /** Session and draft that the marks are of. */
  readonly of: string
  readonly rows: ReadonlyArray<{
    readonly seq: number
    readonly marks: ReadonlyArray<Immutable<Mark>>
  }>
}

/** A draft that does not parse marks nothing new: its problems are said in the editor. */
const marking = createQuery<Found>({
  onAnswer: ({ of, rows }) => {
    const before = lab.getState().marks
    const bySeq = new Map(before?.of === of ? before.bySeq : [])
    for (const { seq, marks } of rows) bySeq.set(seq, marks)
    patchLab({ marks: { of, bySeq } })
  },
})

export const { marksFor, marksSoon } = createMarks()

function createMarks() {
  const due = createDelay()
  let inView = { from: 0, to: 0 }
  const refresh = () => {
    const state = lab.getState()
    const about = inForce()
    const events = valueOf(store.getState().session.events)
    const { from } = inView
    const to = Math.min(inView.to + 1, events?.kind.length ?? 0)
    if (!about || !textChanged(state) || to <= from) return
    const { address } = about
    const draft = draftOf(state, store.getState().view.run)
    const of = JSON.stringify([address, draft])
    if (marking.get().status === 'failed') marking.leave()
    const question = call('lab.marks', { ...address, from, to, draft }, { where: 'Marks' })
    marking.show(mapped(question, ({ rows }) => ({ of, rows })))
  }
  /** The draft, the session or the view is another one. */
  const soon = () => {
    if (textChanged(lab.getState())) {
      due.unlessDue(refresh, PAUSE_MS)
      return
    }
    if (lab.getState().marks) patchLab({ marks: null })
    marking.leave()
  }
  return {
    marksSoon: soon,
    /** Rows of the list that are in view (inclusive): theirs are the marks that follow the draft. */
    marksFor: (from: number, to: number) => {
      inView = { from: Math.max(0, from), to }
      soon()
    },
  }
}
