import { useEffect, useMemo, useRef, useState } from 'react'
import type { SelfSignalTrace } from '../../../core/engine/schema/answer-trace.ts'
import { Switch } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { type LookedMark, Marks, lookOf } from '../../ui/marked-text.tsx'
import { Block, Section } from '../../ui/parts.tsx'
import { segments } from '../../ui/segments.ts'
import { DIAGNOSTIC_WORDS } from '../../views/self-signals/answer-words.ts'

interface Props {
  readonly text: string
  readonly trace: SelfSignalTrace
  /** Diagnostic whose span is pointed at. */
  readonly pointed: number | null
}

/** Later marks win: the block, then its diagnostics, then the one pointed at. */
function marksOf(trace: SelfSignalTrace, pointed: number | null): readonly LookedMark[] {
  const { signal, diagnostics } = trace
  const found = diagnostics.map(({ span, code, message }, at) => ({
    span,
    className: at === pointed ? 'flaw flaw-focus' : 'flaw',
    title: `${DIAGNOSTIC_WORDS[code]}: ${message}`,
    pointed: at === pointed,
  }))
  return [
    ...(signal
      ? [{ span: signal.span, className: `self-block self-${signal.type}`, title: signal.type }]
      : []),
    ...found.filter((mark) => !mark.pointed),
    ...found.filter((mark) => mark.pointed),
  ]
}

const VIEWS = [
  [false, 'As given'],
  [true, 'As passed on'],
] as const

/** The response as the agent gave it, or as it is passed on, with the block in it. */
export function ResponseText({ text, trace, pointed }: Props) {
  const [stripped, setStripped] = useState(false)
  const block = useRef<HTMLPreElement>(null)
  const marks = useMemo(() => marksOf(trace, pointed), [trace, pointed])
  const shown = useMemo(() => segments(text, marks), [text, marks])
  const plain = stripped && pointed === null
  useEffect(() => {
    const box = block.current
    const mark = box?.querySelector<HTMLElement>(pointed === null ? '.self-block' : '.flaw-focus')
    if (box && mark) box.scrollTop = Math.max(0, mark.offsetTop - box.offsetTop - 40)
  }, [pointed, plain])
  return (
    <Section
      title="Response"
      aside={counted(plain ? trace.stripped.length : text.length, 'character')}
      copy={{ text: plain ? trace.stripped : text, what: 'response' }}
    >
      {trace.stripped !== text && (
        <Switch
          label="How the response is shown"
          className="response-switch mb-8"
          options={VIEWS}
          value={plain}
          onChoose={setStripped}
        />
      )}
      <Block label="Text of the response" className="response" ref={block}>
        {plain ? trace.stripped : <Marks segments={shown} of={lookOf} />}
        {text === '' && '(no text)'}
      </Block>
    </Section>
  )
}
