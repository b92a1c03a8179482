import { useState } from 'react'
import type { ReceiverStatus } from '../../../core/wire/receiver.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { copyAsItIs } from '../../app/copy.ts'
import { Check, Select } from '../../ui/form.tsx'
import { bytes, counted, dayOf, timeOf } from '../../ui/format.ts'
import { Block, Section } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { switchReceiving, useLive } from './state.ts'

interface OfReceiver {
  readonly status: ReceiverStatus
}

/**
 * [F154] State of the receiver of traces and logs: its address, the data received, and the settings that a sender
 * needs.
 */
export function Receiver({ status }: OfReceiver) {
  const isSwitching = useLive((state) => state.isSwitching)
  const failure = useLive((state) => state.receiverFailure)
  if (!status.can) return null
  return (
    <Section title="Traces and logs" aside={status.url === null ? 'off' : 'listening'}>
      <div className="stack gap-8">
        <Check
          checked={status.url !== null}
          disabled={isSwitching}
          onCheck={(checked) => void switchReceiving(checked)}
        >
          Receive what programs send by OpenTelemetry
        </Check>
        <p className="text-s dim">
          {status.url === null
            ? 'Off: nothing listens. On, programs of this machine that know the token send spans and logs here, and each conversation becomes a session below.'
            : stateOf(status)}
        </p>
        {status.problem !== null && failure === null && (
          <p className="warn break-words">{visible(status.problem)}</p>
        )}
        {failure && <FailureNote failure={failure} />}
        <Refused status={status} />
        <Environment status={status} />
      </div>
    </Section>
  )
}

function stateOf({ url, isOpen, counts }: ReceiverStatus): string {
  const { sessions, spans, logs } = counts
  const came = [
    counted(sessions, 'session'),
    counted(spans, 'span'),
    counted(logs, 'log record'),
    bytes(counts.bytes),
  ]
  const who = isOpen ? 'every program of this machine may send' : 'a token is asked for'
  return `At ${url}; ${who}. Since it listens: ${came.join(', ')}.`
}

function Refused({ status: { counts } }: OfReceiver) {
  if (counts.refused.length === 0) return null
  return (
    <ul className="stack gap-3" aria-label="What was refused">
      {counts.refused.map(({ why, count, at }) => (
        <li key={why} className="text-s warn break-words">
          {counted(count, 'time')} refused, last {dayOf(at)} {timeOf(at)}: {visible(why)}
        </li>
      ))}
    </ul>
  )
}

const TOKEN = /(x-turnscope-token=)\S+/gu

function Environment({ status: { environment } }: OfReceiver) {
  const [chosen, choose] = useState('')
  const row = environment.find(({ of }) => of === chosen) ?? environment[0]
  if (row === undefined) return null
  const text = row.lines.join('\n')
  return (
    <div className="stack gap-8">
      <div className="row wrap gap-8">
        <Select
          label="Environment of"
          value={row.of}
          options={environment.map(({ of }) => of)}
          onChoose={choose}
        />
        <Button onClick={() => void copyAsItIs(text)}>Copy with the token</Button>
      </div>
      {/* A token in a picture of the window, or on a projector, would be everybody's. */}
      <Block label="Environment variables">{text.replaceAll(TOKEN, '$1…')}</Block>
    </div>
  )
}
