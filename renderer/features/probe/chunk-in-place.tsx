import { useState } from 'react'
import type { ProbeHit } from '../../../core/engine/schema/probe.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { CopyButton } from '../../ui/bits.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { ChunkText } from './chunk-text.tsx'

const STEP = 2
const MOST = 20

/** The chunk among its neighbours, as they stand in the document. */
export function ChunkInPlace({ hit }: { readonly hit: ProbeHit }) {
  const [around, setAround] = useState(1)
  const { collection, filename, chunk_idx } = hit
  const { data } = useQuery(
    call('probe.chunk', { collection, filename, chunk_idx, around }, { where: filename }),
  )
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  const place = valueOf(data)
  if (!place) return <p className="quiet">Reading …</p>
  return (
    <div className="probe-place" role="group" aria-label={`${hit.filename} in place`}>
      {place.path !== null && (
        <p className="probe-path">
          <span className="mono truncate" title={place.path}>
            {place.path}
          </span>
          <CopyButton text={place.path} what="path" />
        </p>
      )}
      <div className="probe-chunks" tabIndex={0} aria-label="Chunks of the document">
        {place.chunks.map((chunk) => (
          <div
            key={chunk.chunk_idx}
            className={chunk.chunk_idx === hit.chunk_idx ? 'probe-here' : 'probe-beside'}
          >
            <span className="quiet num probe-chunk-place">
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
