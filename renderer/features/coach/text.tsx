import { ownOf } from '../../../core/engine/schema/own.ts'
import { useEffect, useMemo, useRef } from 'react'
import type { CoachMark } from '../../../core/engine/schema/coach.ts'
import { Pressable } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { type LookedMark, Marks, lookOf } from '../../ui/marked-text.tsx'
import { Block, Section } from '../../ui/parts.tsx'
import { segments } from '../../ui/segments.ts'
import type { OfOutput } from '../../stores/coach/store.ts'
import { LACKS, MARK_WORDS } from '../../views/coach/words.ts'

/** The exact message that the agent would receive. */
export function Coaching({ output }: OfOutput) {
  const { message, verdict } = output
  if (message === null)
    return (
      <Section title="The agent receives">
        <p>Nothing: the output goes to the person as it is.</p>
        {verdict.coaching_message !== null && (
          <p className="coach-kept mt-6 text-s">
            <span className="quiet">Coaching of the model, kept for display, not sent:</span>{' '}
            {verdict.coaching_message}
          </p>
        )}
      </Section>
    )
  return (
    <Section title="The agent receives" copy={{ text: message, what: 'coaching' }}>
      <Block label="Coaching as it is sent" className="coach-message">
        {message}
      </Block>
    </Section>
  )
}

type Drawn = LookedMark & { readonly kind: string }

const LONGEST = 60_000

/** Marks of the verdict and of the rules, without duplicates. The pointed kind is highlighted. */
function drawnMarks(output: OfOutput['output'], pointed: string | null): readonly Drawn[] {
  const all = [...output.rules.marks, ...output.verdict.marks]
  const unique = new Map(all.map((mark) => [`${mark.kind} ${mark.span.join(' ')}`, mark]))
  const lacks = [...output.rules.flags, ...output.verdict.flags].flatMap(
    (flag) => LACKS[flag] ?? [],
  )
  return [...unique.values()].map((mark) => drawn(trimmed(mark, output.text), lacks, pointed))
}

/** Without the blanks that a pattern took along. */
function trimmed(mark: CoachMark, text: string): CoachMark {
  const [from, to] = mark.span
  const found = text.slice(from, to)
  const start = from + (found.length - found.trimStart().length)
  return { ...mark, span: [start, Math.max(start, to - (found.length - found.trimEnd().length))] }
}

const CLAIMS = new Set(['claim', 'test_claim', 'hedge', 'promise', 'narration', 'progress'])

function drawn(mark: CoachMark, lacks: readonly string[], pointed: string | null): Drawn {
  const known = ownOf(MARK_WORDS, mark.kind) ?? { words: mark.kind, tone: 'plain' }
  const missing = CLAIMS.has(mark.kind) ? lacks[0] : undefined
  const tone = missing === undefined ? known.tone : 'missing'
  return {
    span: mark.span,
    kind: mark.kind,
    className: `cmark cmark-${tone}${pointed === mark.kind ? ' cmark-focus' : ''}`,
    title: `${known.words} (${mark.cue})${missing === undefined ? '' : `: ${missing}`}`,
  }
}

interface TextProps extends OfOutput {
  /** Kind of mark that is pointed at. */
  readonly pointed: string | null
  readonly onPoint: (kind: string | null) => void
}

/** The output with what counted in it: evidence found, and the words whose evidence is missing. */
export function OutputText({ output, pointed, onPoint }: TextProps) {
  const block = useRef<HTMLPreElement>(null)
  const { text } = output
  const marks = useMemo(() => drawnMarks(output, pointed), [output, pointed])
  const shown = useMemo(() => segments(text.slice(0, LONGEST), marks), [text, marks])
  const kinds = useMemo(() => Map.groupBy(marks, ({ kind }) => kind), [marks])
  const lacks = useMemo(() => {
    const said = output.verdict.flags.flatMap((flag) => LACKS[flag] ?? [])
    const rules = output.rules.flags.flatMap((flag) => LACKS[flag] ?? [])
    return [
      ...new Set(said),
      ...rules.filter((lack) => !said.includes(lack)).map((lack) => `by the rules: ${lack}`),
    ]
  }, [output])
  useEffect(() => {
    const box = block.current
    const mark = box?.querySelector<HTMLElement>(pointed === null ? '.cmark' : '.cmark-focus')
    if (box && mark) box.scrollTop = Math.max(0, mark.offsetTop - 48)
  }, [pointed, output])
  return (
    <Section
      title="Output"
      aside={counted(text.length, 'character')}
      copy={{ text: text, what: 'output' }}
    >
      <div
        className="coach-kinds mb-8 wrap text-s gap-5 flex"
        role="group"
        aria-label="What counted in the output"
      >
        {[...kinds].map(([kind, of]) => (
          <Pressable
            key={kind}
            className={`coach-kind text-xs ${of[0]?.className ?? ''}`}
            aria-pressed={pointed === kind}
            title={of[0]?.title}
            onClick={() => onPoint(pointed === kind ? null : kind)}
          >
            {ownOf(MARK_WORDS, kind)?.words ?? kind} <span className="num">{of.length}</span>
          </Pressable>
        ))}
        {lacks.map((lack) => (
          <span key={lack} className="coach-lack text-xs soft-bad">
            ✕ {lack}
          </span>
        ))}
        {kinds.size === 0 && lacks.length === 0 && (
          <span className="quiet">No evidence, and no words that a rule knows.</span>
        )}
      </div>
      <Block label="Text of the output" className="response coach-output" ref={block}>
        <Marks segments={shown} of={lookOf} />
        {text === '' && '(no text)'}
      </Block>
      {text.length > LONGEST && (
        <p className="warning coach-long mt-6">
          The first {counted(LONGEST, 'character')} of {counted(text.length, 'character')} are
          shown; the verdict is about all of them.
        </p>
      )}
    </Section>
  )
}
