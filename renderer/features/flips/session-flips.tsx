import { useMemo } from 'react'
import { idle, valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { useQuery, useSettled } from '../../app/use-query.ts'
import { runKey } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { replayInForce } from '../../app/verdicts.ts'
import { inForce } from '../../app/wire.ts'
import { Computed, Empty } from '../../ui/answered.tsx'
import { count } from '../../ui/format.ts'
import { ProgressView } from '../../ui/progress.tsx'
import { cancelCorpus } from '../../stores/lab/corpus.ts'
import { draftOf } from '../../stores/lab/sides.ts'
import { useLab } from '../../stores/lab/store.ts'
import { sessionSource } from '../../views/flips/flip-source.ts'
import { ReportList } from '../../views/flips/report-list.tsx'
import { flipGroups } from '../../stores/flips/flips.ts'

const NONE: ReadonlySet<string> = new Set()
/** Milliseconds without another edit. */
const SETTLE_MS = 250

/** What the draft flips in the session in view: asked while there is no answer of the corpus. */
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

/** [T77] Tune does not wait for the corpus: what the draft flips in the session in view comes first. */
export function SessionFlips() {
  const { asked, source } = useSessionFlips()
  const corpus = useLab((state) => state.corpus)
  return (
    <>
      <div className="pad-8-12">
        <ProgressView data={corpus} idle="Reading the corpus" onCancel={cancelCorpus} />
      </div>
      <Computed {...asked} idle="Comparing the session in view">
        {({ diff }) => (
          <>
            <p className="notice" role="status">
              The session in view: {count(diff.total)} of {count(diff.turns)} turns flip.{' '}
              {corpus.status === 'loading'
                ? 'The corpus is still being read.'
                : 'The corpus comes next.'}
            </p>
            {diff.total === 0 || source === null ? (
              <Empty>The draft decides every turn of this session as the saved file does.</Empty>
            ) : (
              <ReportList
                source={source}
                groups={flipGroups(diff, 'all', 'cause', NONE)}
                current={null}
                accepted={NONE}
                acceptable={false}
              />
            )}
          </>
        )}
      </Computed>
    </>
  )
}
