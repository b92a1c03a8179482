import { useMemo } from 'react'
import { idle, valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { useQuery, useSettled } from '../../app/use-query.ts'
import { runKey } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayInForce } from '../../app/verdicts.ts'
import { inForce } from '../../app/wire.ts'
import { draftOf } from '../lab/sides.ts'
import { useLab } from '../lab/store.ts'
import { sessionSource } from './flip-source.ts'

/** Milliseconds without another edit. */
const SETTLE_MS = 250

/** Flips of the draft in the session in view. Requested while the corpus has no answer. */
export function useSessionFlips() {
  const run = useApp((state) => state.view.run)
  const about = useApp(inForce)
  // [U220] The replay on screen may be of the configuration before.
  const isCurrent = useApp((state) => replayInForce(state) !== null)
  const draft = useLab((state) => state)
  const { text, options, file } = draft
  const isWanted = useLab(
    (state) => valueOf(state.flips) === null && state.corpus.status !== 'failed',
  )
  const wire = useMemo(
    () => draftOf(draft, run),
    // oxlint-disable-next-line react/exhaustive-deps -- a draft is these three and what it lies over
    [text, options, file, run],
  )
  const rested = useSettled(wire, SETTLE_MS, null)
  const compare = useMemo(() => rested && { kind: 'draft' as const, draft: rested }, [rested])
  const { address, config, of = '' } = about ?? {}
  const basis = runKey(run)
  const isOfRun = isCurrent && compare !== null && runKey(compare.draft.config) === basis
  const question =
    isWanted && isOfRun && address && config
      ? stream('session.compare', { ...address, config, compare }, { where: 'Flips', of })
      : null
  const found = useQuery(question && { ...question, basis })
  const asked = found.basis === basis ? found : { ...found, data: idle }
  const source = useMemo(
    () => (config && compare ? sessionSource(config, compare, of) : null),
    [config, compare, of],
  )
  return { asked, source }
}
