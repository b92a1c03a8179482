import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { draftOf, textChanged } from '../lab-corpus/sides.ts'
import { lab, patchLab } from '../lab-corpus/store.ts'
import { store } from '../../app/store.ts'

const PAUSE_MS = 60
let timer: ReturnType<typeof setTimeout> | undefined
let asking: AbortController | null = null
let inView = { from: 0, to: 0 }
let asked = ''

/** Rows of the list that are in view (inclusive): theirs are the marks that follow the draft. */
export function marksFor(from: number, to: number): void {
  inView = { from: Math.max(0, from), to }
  marksSoon()
}

/** The draft, the session or the view is another one. */
export function marksSoon(): void {
  if (!textChanged(lab.getState())) {
    if (lab.getState().marks) patchLab({ marks: null })
    asked = ''
    return
  }
  timer ??= setTimeout(() => void refresh(), PAUSE_MS)
}

/** Texts are compared by identity of the draft: a counter would say the same. */
function questionOf(text: string | null): string {
  const { document, session } = store.getState()
  return `${valueOf(document.opened)?.key ?? ''} ${session.index} ${text ?? ''}`
}

async function refresh(): Promise<void> {
  timer = undefined
  const state = lab.getState()
  const { document, session, view } = store.getState()
  const opened = valueOf(document.opened)
  const events = valueOf(session.events)
  if (!opened || !events || !textChanged(state)) return
  const of = questionOf(state.text)
  const { from } = inView
  const to = Math.min(inView.to + 1, events.kind.length)
  const question = `${from} ${to} ${of}`
  if (question === asked || to <= from) return
  asked = question
  asking?.abort()
  const controller = new AbortController()
  asking = controller
  try {
    const { rows } = await host().call(
      'lab.marks',
      { key: opened.key, session: session.index, from, to, draft: draftOf(state, view.run) },
      controller.signal,
    )
    if (controller.signal.aborted) return
    const before = lab.getState().marks
    const bySeq = new Map(before?.of === of ? before.bySeq : [])
    for (const { seq, marks } of rows) bySeq.set(seq, marks)
    patchLab({ marks: { of, bySeq } })
  } catch {
    // A draft that does not parse marks nothing new: its problems are said in the editor.
    if (asked === question) asked = ''
  }
}
