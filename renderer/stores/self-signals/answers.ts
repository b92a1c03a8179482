import { valueOf } from '../../app/async-data.ts'
import { followed } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import {
  type SessionAnswers,
  type ShownPrompt,
  type ShownResponse,
  store,
  sessionPlace,
} from '../../app/store.ts'
import { isSettled } from '../../app/selectors.ts'
import { type InForce, inForce } from '../../app/wire.ts'
import { outputAt, type TurnOutput } from '../../../core/engine/schema/turn-output.ts'
import { queryAt } from './answer-selectors.ts'

/** Responses and prompts that are kept of places that were visited. */
const KEEP = 60

/** Self-signals and queries of the session in view: read once it is replayed, and when it has grown. */
followed({
  place: sessionPlace('answers'),
  watch: [store],
  question: () => {
    const about = inForce()
    const replayed = valueOf(store.getState().session.replay)
    if (!about || !replayed) return null
    if (!isSettled(store.getState())) return undefined
    const { address, config, of } = about
    const where = valueOf(store.getState().document.opened)?.name ?? ''
    const told = { where, of: `${of} ${replayed.events}` }
    return { ...call('session.answers', { ...address, config }, told), topic: of }
  },
})

/** [F240] The response that belongs to an event of the session in view. */
export function responseOf(seqs: readonly number[], event: number): TurnOutput | null {
  return outputAt(seqs, valueOf(store.getState().session.replay)?.columns.seq ?? [], event)
}

/** The data from which a tab builds its question. */
interface Selected {
  readonly about: InForce
  readonly answers: SessionAnswers
  readonly selected: number
}

/** A tab's question about the selection. Nothing without a selection; unchanged while the tab is closed. */
function ofTab<T>(isOpen: (tab: string) => boolean, ask: (about: Selected) => T) {
  return () => {
    const { session, view } = store.getState()
    const about = inForce()
    const answers = valueOf(session.answers)
    if (!about || !answers || view.selected === null) return null
    if (!isOpen(view.tab)) return undefined
    return ask({ about, answers, selected: view.selected })
  }
}

/** The response that belongs to the selection. */
export const response = followed<ShownResponse>({
  keep: KEEP,
  watch: [store],
  question: ofTab(
    (tab) => tab === 'signals',
    ({ about, answers, selected }) => {
      const seq = responseOf(answers.responses.seq, selected)?.seq
      if (seq === undefined) return null
      const { address, config, of, isLasting } = about
      const input = { ...address, seq, config }
      const question = call('session.response', input, { where: 'This response', of })
      return mapped(question, (answer) => ({ seq, ...answer }), isLasting)
    },
  ),
})

/** The prompt of the message that was being answered at the selection. */
export const prompt = followed<ShownPrompt>({
  keep: KEEP,
  watch: [store],
  question: ofTab(
    (tab) => tab === 'prompt' || tab === 'budget',
    ({ about, answers, selected }) => {
      const seq = queryAt(answers.queries.seq, selected)
      if (seq === null) return null
      const { address, config, compare, of, ofCompare, isLasting } = about
      const probe = store.getState().view.probeInPrompt
      const question = call(
        'session.prompt',
        { ...address, seq, config, compare, probe },
        { where: 'The prompt of this message', of: `${of} ${ofCompare}` },
      )
      return mapped(question, (answer) => ({ seq, ...answer }), isLasting)
    },
  ),
})
