import type { ProfileAdvice } from '../../core/engine/schema/profile.ts'
import { type AsyncData, idle, valueOf } from './async-data.ts'
import { featureStore, followed } from './query.ts'
import { call, mapped } from './question.ts'
import { store } from './store.ts'
import { sessionAddress } from './wire.ts'

interface Choice {
  readonly advice: AsyncData<ProfileAdvice>
}
const { use, place } = featureStore<Choice>({ advice: idle })

/** [F60] Whether the chosen profile fits the session in view. Requested with every replay. */
followed({
  place: place('advice'),
  watch: [store],
  question: () => {
    const { document, session, view } = store.getState()
    const address = sessionAddress()
    const replayed = valueOf(session.replay)
    if (!address || !replayed) return null
    const question = call(
      'session.profile',
      { ...address, profile: view.run.profile },
      {
        where: 'The profile of this session',
        of: `${document.generation} ${replayed.events}`,
      },
    )
    return mapped(question, ({ advice }) => advice)
  },
})

const FITS: ProfileAdvice = { kind: 'fits' }

/** Advice about the profile; none while it is unknown. */
export function useProfileAdvice(): ProfileAdvice {
  return use((state) => valueOf(state.advice)) ?? FITS
}
