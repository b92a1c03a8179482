import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { messageOfSelection, refreshProbe } from './probe.ts'
import { type ProbedTurn, useProbe } from './store.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { ProbeCache } from './probe-cache.tsx'
import { ProbeCost } from './probe-cost.tsx'
import { ProbeHead } from './probe-head.tsx'
import { ProbeHits } from './probe-hits.tsx'
import { ProbeMessage } from './probe-message.tsx'
import { DataField, PromptBlock, QueryContext } from './probe-passes.tsx'
import './probe.css'

/** What the semantic probe found in the message that belongs to the selection. */
export function ProbeTab() {
  const turn = useProbe((state) => state.turn)
  const seq = useApp(messageOfSelection)
  const loaded = useApp((state) => valueOf(state.session.replay) !== null)
  if (!loaded) return <InspectorSkeleton />
  if (seq === null)
    return (
      <p className="inspector-empty quiet">
        No message of a person stands at or before this event, so there is nothing to probe.
      </p>
    )
  if (turn.status === 'failed')
    return (
      <>
        <FailureNote failure={turn.failure} />
        <p className="again">
          <button type="button" className="button" onClick={() => refreshProbe(true)}>
            Try again
          </button>
        </p>
      </>
    )
  const shown = valueOf(turn)
  if (!shown) return <InspectorSkeleton />
  const stale = shown.seq !== seq
  return (
    <div className={stale ? 'probe stale' : 'probe'} aria-busy={stale}>
      <Probed key={shown.seq} turn={shown} />
    </div>
  )
}

function Probed({ turn }: { readonly turn: ProbedTurn }) {
  const [pointed, setPointed] = useState<string | null>(null)
  const { result, text, cache, query } = turn
  const link = { pointed, onPoint: setPointed }
  const wasProbed = result.skipped === null
  return (
    <>
      <ProbeHead turn={turn} />
      {result.skipped === 'no_collections' && <NothingIndexed />}
      <ProbeMessage text={text} result={result} {...link} />
      {wasProbed && <ProbeHits result={result} {...link} />}
      {wasProbed && <PromptBlock result={result} />}
      <QueryContext query={query} />
      {wasProbed && <ProbeCost result={result} />}
      <ProbeCache cache={cache} result={result} />
      <DataField field={turn.field} />
    </>
  )
}

function NothingIndexed() {
  return (
    <p className="section">
      <button
        type="button"
        className="button button-primary"
        onClick={() => patchView({ dialog: 'probe-desk' })}
      >
        Collections…
      </button>
    </p>
  )
}
