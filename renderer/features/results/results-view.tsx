import { ArrowLeft } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { MAY_LACK_ROWS, type ResultsAbout } from '../../../core/engine/schema/results.ts'
import { refreshLibrary } from '../../app/recent-files.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { capital, counted } from '../../ui/format.ts'
import { Chip, Warnings } from '../../ui/parts.tsx'
import { shortName, titleOf } from '../../ui/visible.ts'
import { EditBar } from './edit-bar.tsx'
import { Facets } from './facets.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Panels } from './panels.tsx'
import { RowList } from './row-list.tsx'
import { closeResults, flipsOf, lookAt, useResults } from './state.ts'

/** [F140] Results of a batch over the session: counts, filters, small multiples, and the rows behind them. */
export function ResultsScreen({ path }: { readonly path: string }) {
  const question = useMemo(() => call('results.open', { path }, { where: path }), [path])
  const { data, again } = useQuery(question)
  return (
    <section className="results column full-height on-bg" aria-label="Results of a batch">
      <Answered data={data} retry={again}>
        {(about) => <Opened about={about} />}
      </Answered>
    </section>
  )
}

function Opened({ about }: { readonly about: ResultsAbout }) {
  const isLookedAt = useResults(({ of }) => of === about.path)
  useEffect(() => {
    lookAt(about.path, about.flips !== null)
    // They joined the recent files.
    void refreshLibrary()
  }, [about])
  return (
    <>
      <Head about={about} />
      {about.mayLackRows && <Warnings texts={[`${capital(MAY_LACK_ROWS)}.`]} />}
      {isLookedAt && <Body about={about} />}
    </>
  )
}

function Head({ about }: { readonly about: ResultsAbout }) {
  const hasSession = useApp((state) => state.document.source !== null)
  const { name, path, config, against, turns, sessions, rows, unusable, engine } = about
  const sources = about.files.length + about.otherFiles
  return (
    <header className="results-head row no-shrink line-below gap-12 on-panel pad-12">
      <Button small title="Back (Esc)" onClick={closeResults}>
        <ArrowLeft size={14} aria-hidden />
        {hasSession ? 'Back to the session' : 'Back'}
      </Button>
      <div className="results-title shrink">
        <h1 className="truncate">{shortName(name)}</h1>
        <p className="mono text-xs quiet truncate" title={titleOf(path)}>
          {shortName(path)}
        </p>
      </div>
      <span className="grow" />
      <p
        className="results-facts num text-s dim text-end"
        title={`Engine ${engine}, configuration ${config}${against === null ? '' : `, compared with ${against}`}`}
      >
        {counted(turns, 'turn')} of {counted(rows, 'row')} in {counted(sessions, 'session')},{' '}
        {counted(sources, 'source')}
      </p>
      {unusable > 0 && (
        <Chip tone="warn" title="They are listed in errors.jsonl">
          {counted(unusable, 'row')} could not be used
        </Chip>
      )}
    </header>
  )
}

function Body({ about }: { readonly about: ResultsAbout }) {
  const filter = useResults((state) => state.filter)
  const flips = useResults(flipsOf)
  const by = useResults((state) => state.panelsBy)
  const of = useResults((state) => state.panelsOf)
  const { path } = about
  const question = useMemo(
    () => call('results.counts', { path, filter, flips, by, of }, { where: path }),
    [path, filter, flips, by, of],
  )
  const { data, again } = useQuery(question, SETTLE_MS)
  return (
    <>
      <FilterBar about={about} />
      {about.editable ? (
        <EditBar about={about} />
      ) : (
        <p className="quiet text-s line-below on-panel pad-8-12">
          An edit cannot be tried on these results: the version of Turnscope that wrote them did not
          store what it needs. Run the batch again, into another folder, for that.
        </p>
      )}
      <Warnings texts={about.cutOffs} />
      <Answered data={data} retry={again} failure="above">
        {(counts) => (
          <div className="results-body fill flex" aria-busy={data.status === 'loading'}>
            <Facets counts={counts} />
            <div className="results-main column grow shrink-y">
              <Panels counts={counts} hasFlips={counts.flips !== null} />
              <RowList path={path} counts={counts} />
            </div>
          </div>
        )}
      </Answered>
    </>
  )
}

/** Debounce before searching for a typed name, in ms. */
const SETTLE_MS = 60
