import { inForce } from '../../app/wire.ts'
import { followed } from '../../app/query.ts'
import { call } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { place, placeOf, scratch, sessionOf, shownPad } from './pad.ts'

/** The place of the typed text; null while it cannot be tried. */
function asked() {
  const { pad, draft, isWriting } = scratch.getState()
  const about = inForce()
  if (!about || !pad || isWriting || shownPad() !== pad.id) return null
  const key = about.address.key
  const at = { key, session: sessionOf(pad), at: placeOf(pad), config: about.config }
  return { pad, draft, at, of: about.of }
}

/** [U160] Tries the typed text when the answer for the previous input has arrived. */
followed({
  place: place('tried'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    if (now === null || now.draft.text === '') return null
    const question = call(
      'scratch.try',
      { ...now.at, ...now.draft },
      { where: 'This text', of: now.of },
    )
    return { ...question, topic: JSON.stringify([now.at, now.draft.kind]) }
  },
})

followed({
  place: place('found'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    const { probes, isNear } = scratch.getState()
    if (
      now === null ||
      !(probes || isNear) ||
      now.draft.kind !== 'user' ||
      now.draft.text.trim() === ''
    )
      return null
    const input = { ...now.at, text: now.draft.text }
    return { ...call('scratch.probe', input, { where: 'The probe', of: now.of }), topic: 'probe' }
  },
})

/** [U163] Later turns that the branch decides differently. */
followed({
  place: place('after'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    const from = now?.pad.from
    if (!now || !from || !now.pad.rest) return null
    const { key, config } = now.at
    const input = { key, from: from.seq, written: now.pad.written.length, config }
    return call('scratch.after', input, {
      where: 'The rest',
      of: `${now.of} ${JSON.stringify(now.pad.written)}`,
    })
  },
})
