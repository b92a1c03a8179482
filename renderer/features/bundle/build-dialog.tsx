import { useEffect, useMemo, useRef, useState } from 'react'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { loadLibrary, selectedStep, useBundles } from './bundle.ts'
import { createBuilder } from './build.ts'
import { host } from '../../app/host.ts'
import { store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { BundleTitle } from './bundle-tab.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { BuildForm } from './build-form.tsx'
import { BudgetHead } from './budget-head.tsx'
import { BundleView } from './bundle-view.tsx'
import { Counted } from './counted.tsx'
import { type Checked, type Draft, draftOf, EXAMPLE, requestOf } from './draft.ts'
import { Limits } from './limits.tsx'
import { Tiers } from './tiers.tsx'

/** What was tried last: kept while the window is open, never written anywhere. */
let last: Draft | null = null

/** Most that the host gives of one row. */
const MOST_CHARS = 200_000

/** The record of the selected step, where one is selected; longer records are left alone. */
async function selectedRecord(): Promise<Draft | null> {
  const state = store.getState()
  const seq = selectedStep(state)
  const opened = valueOf(state.document.opened)
  if (seq === null || !opened) return null
  const config = { ...state.view.run, classify: null }
  const { rows } = await host().call('session.rows', {
    key: opened.key,
    session: state.session.index,
    ...{ from: seq, to: seq + 1, maxChars: MOST_CHARS, config },
  })
  const row = rows[0]
  return row?.text.length === row?.chars ? draftOf(row?.text ?? '') : null
}

interface Answer {
  readonly built: BuiltStep | null
  readonly failure: Failure | null
  readonly busy: boolean
}

/** Builds whenever the form changes and can be used; what was shown stays until the next answer. */
function useBuilt(checked: Checked): Answer {
  const [answer, setAnswer] = useState<Answer>({ built: null, failure: null, busy: false })
  const builder = useMemo(
    () =>
      createBuilder({
        answer: (built) => setAnswer({ built, failure: null, busy: false }),
        failed: (failure) => setAnswer(({ built }) => ({ built, failure, busy: false })),
      }),
    [],
  )
  const request = checked.ok ? JSON.stringify(checked.request) : null
  useEffect(() => {
    if (request === null || !checked.ok) return undefined
    builder.build(checked.request)
    return () => builder.stop()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- equal requests are the same question
  }, [builder, request])
  return answer
}

/** A form for a bundle of any step, and the bundle that comes of it. */
export function BuildDialog({ onClose }: { readonly onClose: () => void }) {
  const preset = useApp((state) => state.view.run.preset)
  const library = useBundles((state) => state.library)
  const [draft, setDraft] = useState<Draft>(() => last ?? EXAMPLE)
  const first = useRef<HTMLSelectElement>(null)
  const checked = useMemo(() => requestOf(draft, preset), [draft, preset])
  const { built, failure } = useBuilt(checked)
  const change = (next: Draft) => {
    last = next
    setDraft(next)
  }
  useEffect(() => {
    void loadLibrary()
    if (last) return undefined
    let mounted = true
    selectedRecord()
      .then((found) => {
        if (mounted && found) setDraft(found)
      })
      .catch(() => undefined)
    return () => {
      mounted = false
    }
  }, [])
  return (
    <Modal title="Build a bundle" className="modal-full" first={first} onClose={onClose}>
      <div className="playground">
        <BuildForm
          {...{ draft, change, first, checked, preset }}
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
              <Result {...{ built, draft, change, preset }} />
            </div>
          ) : (
            !failure && (checked.ok ? <InspectorSkeleton /> : <Waiting />)
          )}
        </div>
      </div>
      <p className="modal-foot quiet">
        Nothing is saved and nothing is written: the bundle lives in this window only.
      </p>
    </Modal>
  )
}

function Waiting() {
  return (
    <p className="inspector-empty quiet">
      The bundle is built as soon as the form can be used: see the field that is marked.
    </p>
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
          {...{ report, preset }}
          budgets={bundle.budgets}
          aside="this bundle"
        />
      </div>
      <Counted {...{ measures, report, words }} budgets={bundle.budgets} />
    </>
  )
}
