import { useState } from 'react'
import type { CoachExplained } from '../../../core/engine/schema/coach-acts.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import type { OfOutput } from '../../stores/coach/store.ts'
import { ACT_TONES } from '../../views/coach/words.ts'

type Told = CoachExplained['sentences'][number]

/** A long report is read from its end: so many of the last sentences are there at first. */
const AT_FIRST = 8

/** [V81] Why the rules judged so: the rule in plain words, each sentence with its act and evidence. */
export function Explained({ output }: OfOutput) {
  const [isOpen, setOpen] = useState(false)
  const { explained, verdict } = output
  if (explained === null) return null
  const { why, model, sentences, more } = explained
  const tail = sentences.length - AT_FIRST
  const shown = isOpen ? sentences : sentences.filter(({ decided }, at) => decided || at >= tail)
  const hidden = sentences.length - shown.length
  return (
    <Section title="Sentence by sentence" aside={counted(sentences.length, 'sentence')}>
      <p className="coach-why">{why}</p>
      {sentences.length > 0 && (
        <DataTable
          label="Sentences and their acts"
          className="table states coach-acts"
          rows={shown}
          keyOf={({ number }) => number}
          rowProps={({ decided }) => (decided ? { className: 'coach-decided' } : {})}
          columns={COLUMNS}
        />
      )}
      {(hidden > 0 || isOpen) && (
        <Button kind="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Only the last ones, and those that decided' : `Show ${hidden} more`}
        </Button>
      )}
      {more > 0 && (
        <p className="quiet text-s">{counted(more, 'sentence')} more are judged, but not listed.</p>
      )}
      {model !== null && verdict.source === 'rules' && (
        <p className="quiet text-s">
          {model} “Ask the model” does that, and you see the cost before anything is sent.
        </p>
      )}
    </Section>
  )
}

const COLUMNS = [
  { head: '#', num: true, cell: ({ number }: Told) => number },
  {
    head: 'sentence',
    title: ({ text }: Told) => text,
    cell: ({ text, decided }: Told) => (
      <>
        <span className="coach-said">{text}</span>
        {decided && <span className="visually-hidden">the rule went by it</span>}
      </>
    ),
  },
  {
    head: 'act',
    cell: ({ act, words, evidence, against }: Told) => (
      <>
        <Chip tone={against ? 'bad' : ACT_TONES[act]}>{words}</Chip>
        {evidence !== '' && (
          <span className={`coach-evidence text-xs ${against ? 'coach-against' : 'dim'}`}>
            {evidence}
          </span>
        )}
      </>
    ),
  },
]
