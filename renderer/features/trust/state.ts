import { followed } from '../../app/query.ts'
import { call } from '../../app/question.ts'
import { failureOf, host } from '../../app/host.ts'
import type { Failure } from '../../app/async-data.ts'
import { documentPlace, patchDocument, store } from '../../app/store.ts'

/** [V39] Follows the workspace's trust state, in every window of the host. */
export function followTrust(): void {
  followed({
    place: documentPlace('trust'),
    watch: [store],
    question: () => {
      const { trustAsked, info } = store.getState().document
      if (info.status === 'idle') return
      return call('trust.state', {}, { where: 'Workspace trust', of: `${trustAsked}` })
    },
  })
}

/** Asks again: files of the workspace may have changed. */
export function lookAgain(): void {
  patchDocument({ trustAsked: store.getState().document.trustAsked + 1 })
}

/** The answer to the question, about the list that was shown. Null when it was taken. */
export async function answer(digest: string | null): Promise<Failure | null> {
  try {
    await (digest === null
      ? host().call('trust.revoke', {})
      : host().call('trust.grant', { digest }))
    return null
  } catch (error) {
    return failureOf(error, 'Workspace trust')
  } finally {
    lookAgain()
  }
}
