import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { CopyButton } from '../../ui/bits.tsx'
import { bytes, count, counted } from '../../ui/format.ts'
import { indentJson } from '../../ui/indent-json.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import './raw.css'

/** The record as it stands in the file, and where. */
export function RawTab() {
  const raw = useApp((state) => state.session.raw)
  const selected = useApp((state) => state.view.selected)
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? '')
  const problems = useApp((state) => valueOf(state.document.opened)?.problems ?? 0)
  const [pretty, setPretty] = useState(true)
  const record = valueOf(raw)
  const shown = useMemo(() => {
    if (!record) return ''
    return pretty ? indentJson(record.text) : record.text
  }, [record, pretty])
  if (raw.status === 'failed') return <FailureNote failure={raw.failure} />
  if (!record) return <InspectorSkeleton />
  return (
    <div className={`column full-height pad raw gap-8${record.seq === selected ? '' : ' stale'}`}>
      <dl className="raw-place text-s gap-16 flex">
        <div>
          <dt>line</dt>
          <dd className="num">{count(record.line)}</dd>
        </div>
        <div>
          <dt>byte</dt>
          <dd className="num">{count(record.offset)}</dd>
        </div>
        <div>
          <dt>size</dt>
          <dd className="num">{bytes(record.length)}</dd>
        </div>
        <div className="grow">
          <dt>file</dt>
          <dd className="truncate" title={name}>
            {name}
          </dd>
        </div>
      </dl>
      <div className="flex center-items">
        <div className="switch" role="group" aria-label="How the record is shown">
          <button type="button" aria-pressed={pretty} onClick={() => setPretty(true)}>
            Pretty
          </button>
          <button type="button" aria-pressed={!pretty} onClick={() => setPretty(false)}>
            Raw
          </button>
        </div>
        <span className="grow" />
        <CopyButton text={record.text} what="record" />
      </div>
      {record.truncated && (
        <p className="warning">The record is longer than what is shown: its first part only.</p>
      )}
      <pre className="block raw-text" tabIndex={0} aria-label="Record">
        {shown}
      </pre>
      {problems > 0 && (
        <p className="text-s">
          <button type="button" className="link" onClick={() => patchView({ dialog: 'problems' })}>
            {counted(problems, 'line')} of this file could not be read
          </button>
        </p>
      )}
    </div>
  )
}
