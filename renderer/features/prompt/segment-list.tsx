import { ChevronRight } from 'lucide-react'
import type { ComposedPrompt, SegmentReport } from '../../../core/engine/schema/prompt.ts'
import { CopyButton } from '../../ui/button.tsx'
import { capital, count, counted } from '../../ui/format.ts'
import { Block, Chip, Details, Fact } from '../../ui/parts.tsx'
import { OUTCOME_WORDS } from '../../views/self-signals/answer-words.ts'
import { useSegmentColor } from '../../views/prompt/segment-color.ts'

interface Props {
  readonly prompt: ComposedPrompt
}

/** Segments as foldable parts: those in the prompt in its order, then those that are not. */
export function SegmentList({ prompt }: Props) {
  return (
    <div className="segments line-above">
      {prompt.segments.map((segment, index) => (
        <SegmentView key={`${index}`} prompt={prompt} segment={segment} index={index} />
      ))}
    </div>
  )
}

interface SegmentProps extends Props {
  readonly segment: SegmentReport
  readonly index: number
}

function SegmentView({ prompt, segment, index }: SegmentProps) {
  const color = useSegmentColor()
  const { words, tone } = OUTCOME_WORDS[segment.outcome]
  const text = segment.span === null ? null : prompt.content.slice(...segment.span)
  return (
    <Details
      className={`segment segment-${text === null ? 'out' : 'in'}`}
      summary={
        <>
          <ChevronRight size={13} className="segment-arrow" aria-hidden />
          <i
            className="segment-dot"
            style={{ background: text === null ? 'none' : color(index) }}
          />
          <span className="segment-name truncate">{segment.id}</span>
          {segment.outcome !== 'included' && <Chip tone={tone}>{words}</Chip>}
          <span className="num quiet segment-tokens text-s text-end">
            {segment.size === null ? `≈ ${count(segment.estimate)}` : count(segment.size)}
          </span>
        </>
      }
    >
      <div className="segment-body stack text-s">
        <p className="dim">{sentence(segment.why)}</p>
        <dl className="segment-facts">
          <Fact name="file">{segment.filePath ?? 'none: added by another stage'}</Fact>
          <Fact name="priority">
            {segment.priority}
            {segment.required && ' · required'}
          </Fact>
          <Fact name="estimate">{counted(segment.estimate, 'token')}</Fact>
          <Variables segment={segment} />
        </dl>
        {text !== null && (
          <div className="segment-text">
            <CopyButton text={text} what={`segment ${segment.id}`} />
            <Block label={`Text of ${segment.id}`}>{text}</Block>
          </div>
        )}
      </div>
    </Details>
  )
}

/** [L13] Which variables the template uses, and which of them were given. */
function Variables({ segment }: { readonly segment: SegmentReport }) {
  const { variables } = segment
  if (!variables) return null
  const guarded = variables.needed.filter(
    (name) => !variables.supplied.includes(name) && !variables.missing.includes(name),
  )
  if (variables.needed.length === 0) return <Fact name="variables">uses none</Fact>
  return (
    <Fact name="variables">
      <Names names={variables.supplied} tone="good" words="given" />
      <Names names={variables.missing} tone="warn" words="missing: renders as empty text" />
      <Names names={guarded} tone="plain" words="not given: the template has a default or a test" />
    </Fact>
  )
}

interface NamesProps {
  readonly names: readonly string[]
  readonly tone: 'good' | 'warn' | 'plain'
  readonly words: string
}

function Names({ names, tone, words }: NamesProps) {
  if (names.length === 0) return null
  return (
    <span className="variable-line wrap flex">
      {names.map((name) => (
        <Chip key={name} tone={tone}>
          {name}
        </Chip>
      ))}
      <span className="quiet">{words}</span>
    </span>
  )
}

function sentence(text: string): string {
  const first = capital(text)
  return /[.!?]$/u.test(first) ? first : `${first}.`
}
