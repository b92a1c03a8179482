import { useEffect, useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { createKeptState } from '../../app/kept-state.ts'
import { call } from '../../app/question.ts'
import { useQuery, useSettled } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { BareArea } from '../../ui/form.tsx'
import { LAB } from '../../views/lab/studied.tsx'
import { ProbeCost } from '../../views/probe/probe-cost.tsx'
import { Found, Persona, ProbeErrors } from '../../views/probe/probe-head.tsx'
import { ProbeHits } from '../../views/probe/probe-hits.tsx'
import { ProbeMessage } from '../../views/probe/probe-message.tsx'
import { PromptBlock } from '../../views/probe/prompt-block.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { EmbedderSelect } from './choices.tsx'

/** Milliseconds without a key before a text is probed. */
const PAUSE = 220
const MOST = 20_000

/** Survives closing the lab while the window is open. */
const useText = createKeptState('')

/** A text, probed while it is typed as if it were the first message of a session. */
export function TryText() {
  const [text, setText] = useText()
  const [embedder, setEmbedder] = useState<string | null>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const preset = useApp((state) => state.view.run.preset)
  const revision = useProbe((state) => state.revision)
  const settled = useSettled(text, PAUSE, text)
  // Asked again when collections changed.
  const about = { ...LAB, of: String(revision) }
  const input = { text: settled, preset, options: {}, embedder }
  const { data } = useQuery(settled.trim() === '' ? null : call('probe.text', input, about))
  const result = settled.trim() === '' ? null : valueOf(data)
  useEffect(() => {
    box.current?.focus()
  }, [])
  const link = { pointed, onPoint: setPointed }
  return (
    <div className="plab-try fill">
      <div className="plab-side shrink-y column scroll gap-12 line-end pad-12">
        <BareArea
          ref={box}
          className="plab-text rounded on-bg"
          aria-label="Text to probe"
          placeholder="What happened at Rogue’s End after the Tower Faction arrived?"
          maxLength={MOST}
          value={text}
          onText={setText}
        />
        <EmbedderSelect label="Embedder" value={embedder} onChoose={setEmbedder} />
        <p className="quiet text-s">
          Probed under preset {preset} as the first message of a session: nothing is in the cache,
          no persona is held.
        </p>
        {result && <ProbeCost result={result} />}
      </div>
      <div className="plab-main shrink-y scroll" aria-busy={data.status === 'loading'}>
        {data.status === 'failed' && <FailureNote failure={data.failure} />}
        {result ? (
          <>
            <div className="verdict">
              <Found result={result} />
              <Persona decision={result.persona} />
              <ProbeErrors errors={result.errors} />
            </div>
            <ProbeMessage text={settled} result={result} {...link} />
            <ProbeHits result={result} {...link} />
            <PromptBlock result={result} />
          </>
        ) : (
          data.status !== 'failed' && (
            <Empty>Type a text: its phrases, and what they hit, appear here.</Empty>
          )
        )}
      </div>
    </div>
  )
}
