import { useState } from 'react'
import type { CoachOutput } from '../../../core/engine/schema/coach-wire.ts'
import { type OutputType, OutputType as Types } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import { Input } from '../../ui/form.tsx'
import { Chip, Section } from '../../ui/parts.tsx'
import { labelOutput } from './coach.ts'
import { VERDICT_WORDS } from './lane.ts'

/** What a person says the output is: kept in `labels/`, and what the lab measures against. */
export function CoachLabelSection({ output }: { readonly output: Immutable<CoachOutput> }) {
  const { seq, label, verdict } = output
  const [note, setNote] = useState(label?.note ?? '')
  const [busy, setBusy] = useState(false)
  const put = (type: OutputType | null) => {
    setBusy(true)
    void labelOutput(seq, type && { type, note: note.trim() === '' ? null : note.trim() }).finally(
      () => setBusy(false),
    )
  }
  const changed = label !== null && note.trim() !== (label.note ?? '')
  return (
    <Section
      title="Your label"
      aside={
        label && (
          <Chip tone={label.type === verdict.type ? 'good' : 'warn'}>
            {label.type === verdict.type ? 'as the verdict' : `verdict says ${verdict.type}`}
          </Chip>
        )
      }
    >
      <div
        className="wrap gap-5 flex"
        role="group"
        aria-label="Label of this output"
        aria-busy={busy}
      >
        {Types.options.map((type) => (
          <Pressable
            key={type}
            className="coach-label inline-row text-s gap-5 rounded hoverable chosen"
            aria-pressed={label?.type === type}
            title={`It ${VERDICT_WORDS[type].about}`}
            onClick={() => put(label?.type === type ? null : type)}
          >
            <span style={{ color: `var(--verdict-${type})` }} aria-hidden>
              {VERDICT_WORDS[type].sign}
            </span>
            {type}
          </Pressable>
        ))}
      </div>
      <div className="coach-note row">
        <Input
          aria-label="Note to the label"
          placeholder="Note: why is it that?"
          maxLength={2000}
          value={note}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && label) put(label.type)
          }}
          onText={setNote}
        />
        <Button
          small
          disabled={!changed}
          onClick={() => {
            if (label) put(label.type)
          }}
        >
          Keep the note
        </Button>
      </div>
      <p className="quiet text-s">
        {label
          ? 'Press the chosen type again to take the label away.'
          : 'A label says what the output really is; the coach lab measures against labels.'}
      </p>
    </Section>
  )
}
