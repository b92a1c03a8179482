import { useMemo } from 'react'
import type { Phrase, ProbeResult } from '../../../core/engine/schema/probe.ts'
import { Pressable, classes } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Marks } from '../../ui/marked-text.tsx'
import { Section } from '../../ui/parts.tsx'
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
      <MessageText text={text} pointed={pointed} onPoint={onPoint} phrases={result.phrases} />
      {text.length > LONGEST && (
        <p className="warning">
          The first {counted(LONGEST, 'character')} are shown; phrases were looked for in all.
        </p>
      )}
      <PhraseList result={result} pointed={pointed} onPoint={onPoint} />
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
      <Marks
        segments={shown}
        of={({ marks: [first, ...others] }) => {
          if (!first) return null
          const of = [first, ...others].map(({ phrase }) => phrase)
          const on = of.some((phrase) => phrase.text === pointed)
          return {
            className: classes('phrase', `phrase-${first.phrase.rule}`, on && 'phrase-on') ?? '',
            title: of
              .map((phrase) => `${phrase.text}: ${RULE_WORDS[phrase.rule].words}`)
              .join('\n'),
            onPointerEnter: () => onPoint(first.phrase.text),
            onPointerLeave: () => onPoint(null),
          }
        }}
      />
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
    <DataTable
      className="probe-phrases text-s full-width"
      label="Phrases"
      rows={phrases}
      keyOf={({ text }) => text}
      rowProps={({ text }) => ({
        className: pointed === text ? 'on' : '',
        onPointerEnter: () => onPoint(text),
        onPointerLeave: () => onPoint(null),
      })}
      columns={[
        {
          head: 'phrase',
          isName: true,
          cell: ({ text, rule }) => (
            <Pressable
              className="medium"
              onFocus={() => onPoint(text)}
              onBlur={() => onPoint(null)}
            >
              <span className={`phrase phrase-${rule}`}>{shortened(text)}</span>
            </Pressable>
          ),
        },
        {
          head: 'rule',
          title: ({ rule }) => RULE_WORDS[rule].about,
          cell: ({ rule }) => RULE_WORDS[rule].words,
        },
        {
          head: 'place',
          about: 'Characters of the message, from 0, the end not included',
          num: true,
          cell: placesOf,
        },
        {
          head: 'weight',
          about: 'Scores are multiplied with it when collections are ranked',
          num: true,
          cell: ({ weight }) => weight,
        },
        {
          head: 'hits',
          num: true,
          cell: ({ text }) => {
            const of = hits.filter(({ phrase }) => phrase === text).length
            return of === 0 ? <span className="quiet">0</span> : of
          },
        },
      ]}
    />
  )
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
