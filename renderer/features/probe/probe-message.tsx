import { useMemo } from 'react'
import type { Phrase, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { Section } from '../../ui/bits.tsx'
import { counted } from '../../ui/format.ts'
import { segments } from '../../ui/segments.ts'
import { RULE_WORDS } from './probe-words.ts'

/** A phrase that is pointed at, from the text or from the list. */
export interface Pointing {
  readonly pointed: string | null
  readonly onPoint: (phrase: string | null) => void
}

interface Props extends Pointing {
  readonly text: string
  readonly result: ProbeResult
}

const LONGEST = 20_000

/** The message with its phrases underlined by rule, and the list of them; each points at the other. */
export function ProbeMessage({ text, result, pointed, onPoint }: Props) {
  return (
    <Section title="Message" aside={counted(text.length, 'character')}>
      <MessageText {...{ text, pointed, onPoint }} phrases={result.phrases} />
      {text.length > LONGEST && (
        <p className="warning">
          The first {counted(LONGEST, 'character')} are shown; phrases were looked for in all.
        </p>
      )}
      <PhraseList {...{ result, pointed, onPoint }} />
    </Section>
  )
}

interface TextProps extends Pointing {
  readonly text: string
  readonly phrases: readonly Phrase[]
}

interface Mark {
  readonly span: readonly number[]
  readonly phrase: Phrase
}

function MessageText({ text, phrases, pointed, onPoint }: TextProps) {
  const marks = useMemo<readonly Mark[]>(
    () =>
      phrases
        .filter(({ rule }) => rule !== 'full_input')
        .flatMap((phrase) => phrase.spans.map((span) => ({ span, phrase }))),
    [phrases],
  )
  const shown = useMemo(() => segments(text.slice(0, LONGEST), marks), [text, marks])
  return (
    <p
      className="probe-text pad-9-12 mb-8 scroll break-words rounded pre-wrap on-bg"
      tabIndex={0}
      aria-label="Text of the message"
    >
      {shown.map((segment) => {
        const phrase = segment.marks[0]?.phrase
        if (!phrase) return segment.text
        const on = segment.marks.some((mark) => mark.phrase.text === pointed)
        return (
          <mark
            key={segment.from}
            className={`phrase phrase-${phrase.rule}${on ? ' phrase-on' : ''}`}
            title={segment.marks
              .map((mark) => `${mark.phrase.text}: ${RULE_WORDS[mark.phrase.rule].words}`)
              .join('\n')}
            onPointerEnter={() => onPoint(phrase.text)}
            onPointerLeave={() => onPoint(null)}
          >
            {segment.text}
          </mark>
        )
      })}
      {text === '' && '(no text)'}
    </p>
  )
}

function placesOf({ spans }: Phrase): string {
  const places = spans.map(([from, to]) => `${from}–${to}`)
  return places.length > 3 ? `${places.slice(0, 3).join(', ')} …` : places.join(', ')
}

function PhraseList({ result, pointed, onPoint }: Omit<Props, 'text'>) {
  const { phrases, hits } = result
  if (phrases.length === 0) return <p className="quiet">No phrase was taken from this message.</p>
  return (
    <table className="probe-phrases text-s full-width" aria-label="Phrases">
      <thead>
        <tr>
          <th scope="col">phrase</th>
          <th scope="col">rule</th>
          <th scope="col" title="Characters of the message, from 0, the end not included">
            place
          </th>
          <th scope="col" title="Scores are multiplied with it when collections are ranked">
            weight
          </th>
          <th scope="col">hits</th>
        </tr>
      </thead>
      <tbody>
        {phrases.map((phrase) => {
          const { words, about } = RULE_WORDS[phrase.rule]
          const of = hits.filter((hit) => hit.phrase === phrase.text).length
          return (
            <tr
              key={phrase.text}
              className={pointed === phrase.text ? 'on' : ''}
              onPointerEnter={() => onPoint(phrase.text)}
              onPointerLeave={() => onPoint(null)}
            >
              <th scope="row">
                <button
                  type="button"
                  className="medium"
                  onFocus={() => onPoint(phrase.text)}
                  onBlur={() => onPoint(null)}
                >
                  <span className={`phrase phrase-${phrase.rule}`}>{shortened(phrase.text)}</span>
                </button>
              </th>
              <td title={about}>{words}</td>
              <td className="num">{placesOf(phrase)}</td>
              <td className="num">{phrase.weight}</td>
              <td className="num">{of === 0 ? <span className="quiet">0</span> : of}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
