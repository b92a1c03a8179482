import { useId } from 'react'
import type { CoachForm } from './settings.ts'

interface Props {
  readonly form: CoachForm
  readonly put: (patch: Partial<CoachForm>) => void
  readonly problems: Partial<Record<keyof CoachForm, string>>
}

const MODES = [
  {
    mode: 'off',
    title: 'Off: rules only',
    about: 'The rules judge on this machine. Nothing is ever sent.',
  },
  {
    mode: 'model',
    title: 'Ask a model',
    about: 'One call for an output, only when you press “Ask the model”.',
  },
] as const

export function ModeChoice({ form, put }: Props) {
  const name = useId()
  return (
    <div className="coach-modes stack" role="radiogroup" aria-label="Who judges">
      {MODES.map(({ mode, title, about }) => (
        <label
          key={mode}
          className="coach-mode gap-9 flex rounded pad-12 pointer"
          data-chosen={form.mode === mode}
        >
          <input
            type="radio"
            name={name}
            value={mode}
            checked={form.mode === mode}
            onChange={() => put({ mode })}
          />
          <span>
            <strong>{title}</strong>
            <span className="coach-mode-about text-s dim">{about}</span>
          </span>
        </label>
      ))}
    </div>
  )
}

/** One plain sentence about what leaves the machine, when and where to. */
export function WhatLeaves({ form }: Pick<Props, 'form'>) {
  if (form.mode === 'off')
    return (
      <div className="aside" role="note">
        <p>With the model off nothing leaves this machine.</p>
      </div>
    )
  const where = form.baseUrl.trim()
  const own = form.provider === 'anthropic' ? 'Anthropic' : 'the address below'
  return (
    <div className="aside aside-warn" role="note">
      <p>
        {' '}
        When you ask the model about an output, the text of that output, after redaction, with the
        coach’s prompt, the skill and the plan’s criteria, goes to{' '}
        <strong>{where === '' ? own : where}</strong>. Nothing is sent by opening, replaying or
        reading a session.
      </p>
    </div>
  )
}

interface FieldProps extends Props {
  readonly name: Exclude<keyof CoachForm, 'mode' | 'provider'>
  readonly label: string
  readonly number?: boolean
  readonly wide?: boolean
  readonly placeholder?: string
}

/** One line of the form, with what is wrong with it. */
export function FormField({ form, put, problems, name, label, ...rest }: FieldProps) {
  const id = useId()
  const problem = problems[name]
  const price = name === 'inputPrice' || name === 'outputPrice'
  return (
    <div className={rest.wide ? 'form-field form-field-wide' : 'form-field'}>
      <label className="control-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={rest.number ? 'field num' : 'field'}
        inputMode={rest.number ? 'decimal' : 'text'}
        spellCheck={false}
        autoComplete="off"
        placeholder={rest.placeholder ?? (price ? 'unknown' : '')}
        value={form[name]}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => put({ [name]: event.target.value })}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-s bad">
          {problem}
        </p>
      )}
    </div>
  )
}
