import { useEffect, useState } from 'react'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { ProbeHit } from '../../../core/engine/schema/probe.ts'
import type { Output } from '../../../core/wire/rpc.ts'
import { type AsyncData, failed, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { CopyButton } from '../../ui/bits.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { ChunkText } from './chunk-text.tsx'

type InPlace = Output<TurnscopeContract, 'probe.chunk'>

function useChunk({ collection, filename, chunk_idx }: ProbeHit, around: number) {
  const [data, setData] = useState<AsyncData<InPlace>>(() => loading())
  useEffect(() => {
    const controller = new AbortController()
    host()
      .call('probe.chunk', { collection, filename, chunk_idx, around }, controller.signal)
      .then((value) => {
        if (!controller.signal.aborted) setData(ready(value))
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted && !wasCancelled(error))
          setData(failed(failureOf(error, filename)))
      })
    return () => controller.abort()
  }, [collection, filename, chunk_idx, around])
  return data
}

const STEP = 2
const MOST = 20

/** The chunk among its neighbours, as they stand in the document. */
export function ChunkInPlace({ hit }: { readonly hit: ProbeHit }) {
  const [around, setAround] = useState(1)
  const data = useChunk(hit, around)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  const place = valueOf(data)
  if (!place) return <p className="quiet">Reading …</p>
  return (
    <div
      className="probe-place stack text-s gap-6 one-column"
      role="group"
      aria-label={`${hit.filename} in place`}
    >
      {place.path !== null && (
        <p className="probe-path flex center-items">
          <span className="mono truncate" title={place.path}>
            {place.path}
          </span>
          <CopyButton text={place.path} what="path" />
        </p>
      )}
      <div
        className="probe-chunks scroll full-width rounded on-bg"
        tabIndex={0}
        aria-label="Chunks of the document"
      >
        {place.chunks.map((chunk) => (
          <div
            key={chunk.chunk_idx}
            className={chunk.chunk_idx === hit.chunk_idx ? 'probe-here' : 'probe-beside'}
          >
            <span className="quiet num probe-chunk-place text-xs">
              {chunk.lines ? `${chunk.lines[0]}–${chunk.lines[1]}` : `chunk ${chunk.chunk_idx}`}
              {chunk.heading !== null && ` · ${chunk.heading}`}
            </span>
            <pre>
              <ChunkText
                text={chunk.text}
                phrase={chunk.chunk_idx === hit.chunk_idx ? hit.phrase : ''}
              />
            </pre>
          </div>
        ))}
      </div>
      {around < MOST && (
        <button
          type="button"
          className="link"
          onClick={() => setAround(Math.min(MOST, around + STEP))}
        >
          More around it
        </button>
      )}
    </div>
  )
}
