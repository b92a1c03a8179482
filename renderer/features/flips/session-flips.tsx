import { Computed, Empty } from '../../ui/answered.tsx'
import { count } from '../../ui/format.ts'
import { ProgressView } from '../../ui/progress.tsx'
import { flipGroups } from '../../stores/flips/flips.ts'
import { useSessionFlips } from '../../stores/flips/session-flips.ts'
import { cancelCorpus } from '../../stores/lab/corpus.ts'
import { useLab } from '../../stores/lab/store.ts'
import { ReportList } from '../../views/flips/report-list.tsx'

const NONE: ReadonlySet<string> = new Set()
/** [T77] Tune does not wait for the corpus. The draft's flips in the session in view appear first. */
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
