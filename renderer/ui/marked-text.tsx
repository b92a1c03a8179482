import type { QuotedPart } from '../../core/engine/schema/trace.ts'
import { type ComponentProps, memo } from 'react'
import { type Marking, type Segment, type Spanned, segments } from './segments.ts'
import { useLook } from './use-look.ts'
import { readable, shortName } from './visible.ts'

interface Props {
  readonly text: string
  readonly marks: readonly Marking[]
  /** [B26] Stretches that were not scored: drawn quietly. */
  readonly quoted?: readonly QuotedPart[]
  readonly needles?: readonly string[]
  /** Highlights only the spans of this signal; null highlights all. */
  readonly focus?: { readonly domain: string; readonly signal: number } | null
}

/** Text with matched spans underlined in the colour of their domain; a title says whose they are. */
export const MarkedText = memo(function MarkedText(props: Props) {
  const { text, marks, quoted = NOT_QUOTED, needles, focus } = props
  const look = useLook()
  return segments<Marking | QuotedPart>(text, [...marks, ...quoted], needles).map((whole) => {
    const segment = { ...whole, marks: whole.marks.filter(isMarking) }
    const left = whole.marks.find((mark) => 'why' in mark)
    if (left !== undefined && segment.marks.length === 0)
      return (
        <span
          key={segment.from}
          className={`quiet${segment.found ? ' found' : ''}`}
          title={QUOTED_TITLES[left.why]}
        >
          {readable(segment.text)}
        </span>
      )
    const focused = focus
      ? segment.marks.find((mark) => mark.domain === focus.domain && mark.signal === focus.signal)
      : undefined
    const mark = focused ?? segment.marks[0]
    if (!mark)
      return segment.found ? (
        <mark key={segment.from} className="found">
          {readable(segment.text)}
        </mark>
      ) : (
        readable(segment.text)
      )
    const owners = [
      ...new Set(segment.marks.map((m) => `${shortName(m.domain)} · signal ${m.signal + 1}`)),
    ]
    const state = focus ? (focused ? ' matched-focus' : ' matched-dim') : ''
    return (
      <mark
        key={segment.from}
        className={`matched${state}${segment.found ? ' found' : ''}`}
        style={{ '--mark-color': look(mark.domain).color }}
        title={owners.join('\n')}
      >
        {readable(segment.text)}
      </mark>
    )
  })
})

const NOT_QUOTED: readonly QuotedPart[] = []

const isMarking = (mark: Marking | QuotedPart): mark is Marking => 'domain' in mark

const QUOTED_TITLES: Readonly<Record<QuotedPart['why'], string>> = {
  quotation: 'Not scored: a quotation (stripQuoted)',
  fence: 'Not scored: a fenced block (stripQuoted)',
  log: 'Not scored: the rest of a pasted log (stripQuoted)',
  notice: 'Not scored: a notice of the client (stripQuoted)',
}

interface MarksProps<Mark extends Spanned> {
  readonly segments: ReadonlyArray<Segment<Mark>>
  /** Returns the attributes of a marked stretch; null = not marked. */
  readonly of: (segment: Segment<Mark>) => ComponentProps<'mark'> | null
}

/** A text in stretches, some of them marked. */
export function Marks<Mark extends Spanned>({ segments: all, of }: MarksProps<Mark>) {
  return all.map((segment) => {
    const look = of(segment)
    return look ? (
      <mark key={segment.from} {...look}>
        {readable(segment.text)}
      </mark>
    ) : (
      readable(segment.text)
    )
  })
}

/** A mark that brings its own looks. */
export interface LookedMark extends Spanned {
  readonly className: string
  readonly title: string
}

/** Class and title from all marks of a stretch; null if it has none. */
export function lookOf({ marks }: Segment<LookedMark>) {
  if (marks.length === 0) return null
  const names = marks.flatMap(({ className }) => className.split(' '))
  return {
    className: [...new Set(names)].join(' '),
    title: marks.map(({ title }) => title).join('\n'),
  }
}
