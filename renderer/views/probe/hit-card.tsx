import { useMemo, useState } from 'react'
import type { ProbeHit } from '../../../core/engine/schema/probe.ts'
import { call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button, CopyButton } from '../../ui/button.tsx'
import { Marks } from '../../ui/marked-text.tsx'
import { Chip } from '../../ui/parts.tsx'
import { segments } from '../../ui/segments.ts'
import { CollectionName, useCollectionColor } from './collection-name.tsx'
import type { Pointing } from './probe-message.tsx'
import { compared, score2, wordsOf } from './probe-words.ts'

interface Props extends Pointing {
  readonly hit: ProbeHit
  /** Say the collection too. */
  readonly named: boolean
}

/** `lines 12–30` or nothing. */
function linesText(lines: readonly [number, number] | null): string {
  if (lines === null) return ''
  return lines[0] === lines[1] ? ` · line ${lines[0]}` : ` · lines ${lines[0]}–${lines[1]}`
}

/** One hit: phrase, score against its threshold, the chunk, and its place. */
export function HitCard({ hit, named, pointed, onPoint }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <li
      className={`stack gap-5 rounded one-column probe-card edge pad-9-12${pointed === hit.phrase ? ' on' : ''}`}
      onPointerEnter={() => onPoint(hit.phrase)}
      onPointerLeave={() => onPoint(null)}
    >
      <div className="probe-card-head">
        <strong className="truncate" title={hit.phrase}>
          {hit.phrase}
        </strong>
        {named && <CollectionName name={hit.collection} />}
        {hit.from_cache && <Chip title="Not asked again: the session’s cache knew it">cache</Chip>}
      </div>
      <ScoreBar hit={hit} />
      {!open && (
        <p className="probe-chunk clamp text-s dim break-words">
          <ChunkText text={hit.chunk_text.replaceAll(/\n\s*\n/gu, '\n')} phrase={hit.phrase} />
        </p>
      )}
      <div className="probe-card-foot wrap text-s">
        <span className="mono truncate" title={hit.filename}>
          {hit.filename}
        </span>
        <span className="quiet num">
          chunk {hit.chunk_idx}
          {linesText(hit.lines)}
        </span>
        <Button kind="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Close' : 'Open in place'}
        </Button>
      </div>
      {open && <ChunkInPlace hit={hit} />}
    </li>
  )
}

const share = (value: number) => `${Math.min(100, Math.max(0, value * 100))}%`

/** Both components of the score against the threshold. */
function ScoreBar({ hit }: { readonly hit: ProbeHit }) {
  const color = useCollectionColor()
  const { similarity, score, threshold, lexical } = hit
  const words = Math.max(0, score - similarity)
  return (
    <div className="probe-score row wrap text-s">
      <div
        className="probe-bar on-panel2 relative"
        role="img"
        aria-label={`Score ${score2(score)}, threshold ${score2(threshold)}`}
        style={{ '--collection': color(hit.collection) }}
      >
        <i className="probe-bar-cosine" style={{ width: share(similarity) }} />
        <i
          className="probe-bar-words"
          style={{ left: share(similarity), width: share(Math.min(words, 1 - similarity)) }}
        />
        <i className="probe-bar-threshold" style={{ left: share(threshold) }} />
      </div>
      <span className="num probe-compared no-shrink">{compared(hit)}</span>
      <span
        className="quiet num"
        title="Share of the phrase’s words, weighted by rarity, that stand in the chunk"
      >
        {lexical === null ? '' : `words ${score2(lexical)}`}
      </span>
    </div>
  )
}

const STEP = 2
const MOST = 20

/** The chunk among its neighbors, in document order. */
function ChunkInPlace({ hit }: { readonly hit: ProbeHit }) {
  const [around, setAround] = useState(1)
  const { collection, filename, chunk_idx } = hit
  const { data } = useQuery(
    call('probe.chunk', { collection, filename, chunk_idx, around }, { where: filename }),
  )
  return (
    <Answered data={data} waiting={<p className="quiet">Reading …</p>}>
      {(place) => (
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
            <Button kind="link" onClick={() => setAround(Math.min(MOST, around + STEP))}>
              More around it
            </Button>
          )}
        </div>
      )}
    </Answered>
  )
}

/** Text of a chunk, as text, with the words of a phrase marked. */
function ChunkText({ text, phrase }: { readonly text: string; readonly phrase: string }) {
  const shown = useMemo(() => segments(text, [], wordsOf(phrase)), [text, phrase])
  return <Marks segments={shown} of={({ found }) => (found ? WORD : null)} />
}

const WORD = { className: 'chunk-word' } as const
