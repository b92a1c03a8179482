import { useEffect, useMemo, useRef, useState } from 'react'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { host } from '../../app/host.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { call } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce } from '../../app/wire.ts'
import { Empty, FailureNote, Skeleton } from '../../ui/answered.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { BudgetHead } from './budget-head.tsx'
import { BuildForm } from './build-form.tsx'
import { BundleTitle } from './bundle-tab.tsx'
import { BundleView } from './bundle-view.tsx'
import { loadLibrary, useBundles } from './bundle.ts'
import { Counted } from './counted.tsx'
import { type Checked, type Draft, EXAMPLE, draftOf, requestOf } from './draft.ts'
import { Limits } from './limits.tsx'
import { Tiers } from './tiers.tsx'
import { selectedStep } from '../../app/select.ts'

/** The last input, kept while the window is open and never written to disk. */
const useLast = createKeptState<Draft | null>(null)

/** Most that the host gives of one row. */
const MOST_CHARS = 200_000

/** The record of the selected step, if one is selected. Longer records are skipped. */
async function selectedRecord(): Promise<Draft | null> {
  const seq = selectedStep(store.getState())
  const about = inForce()
  if (seq === null || !about) return null
  const { address, config } = about
  const range = { from: seq, to: seq + 1, maxChars: MOST_CHARS }
  const { rows } = await host().call('session.rows', { ...address, ...range, config })
  const row = rows[0]
  return row?.text.length === row?.chars ? draftOf(row?.text ?? '') : null
}

/** Milliseconds without another change before a bundle is built. */
const PAUSE_MS = 180

/** Builds whenever the form changes and is valid. The previous result stays until the next answer. */
function useBuilt(checked: Checked) {
  const { data } = useQuery(
    checked.ok ? call('bundle.build', checked.request, { where: 'This bundle' }) : null,
    PAUSE_MS,
  )
  return { built: valueOf(data), failure: data.status === 'failed' ? data.failure : null }
}

/** A form for a bundle of any step, and the resulting bundle. */
export function BuildDialog({ onClose }: { readonly onClose: () => void }) {
  const preset = useApp((state) => state.view.run.preset)
  const library = useBundles((state) => state.library)
  const [last, change] = useLast()
  const [start, setStart] = useState(EXAMPLE)
  const draft = last ?? start
  const first = useRef<HTMLSelectElement>(null)
  const checked = useMemo(() => requestOf(draft, preset), [draft, preset])
  const { built, failure } = useBuilt(checked)
  useEffect(loadLibrary, [])
  useEffect(() => {
    selectedRecord()
      .then((found) => {
        if (found) setStart(found)
      })
      .catch(() => undefined)
  }, [])
  return (
    <Dialog title="Build a bundle" className="modal-full" first={first} onClose={onClose}>
      <div className="playground">
        <BuildForm
          draft={draft}
          change={change}
          first={first}
          checked={checked}
          preset={preset}
          library={valueOf(library)}
          fromStep={() =>
            void selectedRecord().then((found) => {
              if (found) change(found)
            })
          }
        />
        <div className="build-result shrink-y scroll">
          {library.status === 'failed' && <FailureNote failure={library.failure} />}
          {failure && <FailureNote failure={failure} />}
          {built ? (
            <div className={failure || !checked.ok ? 'stale' : undefined}>
              <Result built={built} draft={draft} change={change} preset={preset} />
            </div>
          ) : (
            !failure && (checked.ok ? <Skeleton /> : <Waiting />)
          )}
        </div>
      </div>
      <p className="modal-foot quiet">
        Nothing is saved and nothing is written: the bundle lives in this window only.
      </p>
    </Dialog>
  )
}

function Waiting() {
  return (
    <Empty of="inspector">
      The bundle is built as soon as the form can be used: see the field that is marked.
    </Empty>
  )
}

interface ResultProps {
  readonly built: BuiltStep
  readonly draft: Draft
  readonly change: (draft: Draft) => void
  readonly preset: string
}

function Result({ built, draft, change, preset }: ResultProps) {
  const { report, measures, bundle, words } = built
  return (
    <>
      <div className="verdict">
        <BundleTitle built={built} />
        <BudgetHead report={report} />
      </div>
      <BundleView built={built} />
      <div className="result-columns">
        <Tiers report={report} />
        <Limits
          tried={{ budgets: draft.budgets, estimator: draft.estimator }}
          change={(tried) => change({ ...draft, ...tried })}
          report={report}
          preset={preset}
          budgets={bundle.budgets}
          aside="this bundle"
        />
      </div>
      <Counted measures={measures} report={report} words={words} budgets={bundle.budgets} />
    </>
  )
}
