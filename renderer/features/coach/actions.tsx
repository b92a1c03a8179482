import { useState } from 'react'
import { type OutputType, OutputType as Types } from '../../../core/engine/schema/coach.ts'
import { valueOf } from '../../app/async-data.ts'
import { commandOf, runCommand } from '../../app/commands.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import { Input } from '../../ui/form.tsx'
import { counted } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import { labelOutput } from '../../stores/coach/coach.ts'
import { VERDICT_WORDS } from '../../views/coach/verdict-words.ts'
import { VerdictSign } from '../../views/coach/parts.tsx'
import { tallyOf } from '../../stores/coach/selectors.ts'
import { type OfOutput, useCoach } from '../../stores/coach/store.ts'

/**
 * Buttons to query the model, change its settings and open the lab. Shows the reason if the model cannot be queried.
 */
export function CoachActions({ output }: OfOutput) {
  const settings = useCoach((state) => valueOf(state.settings))
  const columns = useCoach((state) => valueOf(state.columns))
  const running = useCoach((state) => state.run.status === 'running')
  const off = settings?.mode !== 'model'
  const tally = columns && tallyOf(columns)
  return (
    <Section
      title="Ask the model"
      aside={
        <span className="gap-12 inline-flex">
          {commandOf('coach-lab') && (
            <Button
              kind="link"
              title="Prompt and rules in an editor (v)"
              onClick={() => runCommand('coach-lab')}
            >
              Coach lab
            </Button>
          )}
          <Button
            kind="link"
            title="Settings of the coach (V)"
            onClick={() => runCommand('coach-settings')}
          >
            Coach…
          </Button>
        </span>
      }
    >
      <div className="stack gap-6">
        <div className="row wrap">
          <Button
            small
            disabled={off || output.request.gated || running}
            title="Ask the model about this output"
            onClick={() => runCommand('coach-ask')}
          >
            About this output
          </Button>
          <Button
            small
            disabled={off}
            title="Ask the model about all outputs of the session"
            onClick={() => runCommand('coach-ask-all')}
          >
            {running ? 'A batch is running …' : `About all ${tally?.outputs ?? ''}`}
          </Button>
        </div>
        <p className="quiet text-s">
          {off
            ? 'The model is off: the rules judge alone, and nothing leaves this machine. “Coach…” turns it on.'
            : output.request.gated
              ? 'A gate of the rules decides this output: the model is not asked.'
              : `Asks ${settings.model}; you see the cost before anything is sent.`}
        </p>
        {tally && (
          <p className="quiet text-s num">
            In this session: {counted(tally.outputs, 'output')}, {tally.back} sent back
            {tally.wentOn > 0 && ` (after ${tally.wentOn} of them it went on by itself)`},{' '}
            {counted(tally.disagree, 'disagreement')}, {tally.failed} failed, {tally.labelled}{' '}
            labelled.
          </p>
        )}
      </div>
    </Section>
  )
}

/** The label of the output, chosen by the operator. It is stored in `labels/`, and the lab measures against it. */
export function CoachLabelSection({ output }: OfOutput) {
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
            <VerdictSign type={type} />
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
