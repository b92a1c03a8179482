import { useId, useState } from 'react'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form.tsx'
import { type CoachForm, setKey } from './settings.ts'
import { useCoach } from '../../stores/coach/store.ts'
import { keyText } from '../../views/coach/words.ts'

interface Props {
  readonly form: CoachForm
  readonly put: (patch: Partial<CoachForm>) => void
  readonly problems: Partial<Record<keyof CoachForm, string>>
}

const MODES = [
  ['off', 'Off: rules only', 'The rules judge on this machine. Nothing is ever sent.'],
  ['model', 'Ask a model', 'One call for an output, only when you press “Ask the model”.'],
] as const

export function ModeChoice({ form, put }: Props) {
  const name = useId()
  return (
    <div className="coach-modes stack" role="radiogroup" aria-label="Who judges">
      {MODES.map(([mode, title, about]) => (
        <label
          key={mode}
          className="coach-mode gap-9 flex rounded pad-12 pointer"
          data-chosen={form.mode === mode}
        >
          {/* The kit has no radio buttons. This is the only choice with a separate text per option. */}
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

const HINTS: Partial<Record<FieldProps['name'], string>> = {
  inputPrice: 'unknown',
  outputPrice: 'unknown',
  maxCost: 'no ceiling',
  maxTokens: 'no ceiling',
}

/** One line of the form, with its problem. */
export function FormField({ form, put, problems, name, label, ...rest }: FieldProps) {
  const hint = HINTS[name] ?? ''
  return (
    <Field
      label={label}
      className={rest.wide ? 'form-field form-field-wide' : 'form-field'}
      error={problems[name] ?? null}
    >
      <Input
        className={rest.number ? 'num' : undefined}
        inputMode={rest.number ? 'decimal' : 'text'}
        spellCheck={false}
        autoComplete="off"
        placeholder={rest.placeholder ?? hint}
        value={form[name]}
        onText={(text) => put({ [name]: text })}
      />
    </Field>
  )
}

/**
 * The location of the key, with buttons to store another or forget it.
 * @param before stores the settings first, because a stored key belongs to their address
 */
export function KeySection({ before }: { readonly before: () => Promise<boolean> }) {
  const id = useId()
  const key = useCoach((state) => state.key)
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const state = valueOf(key)
  const change = async (next: string | null) => {
    if (next !== null && !(await before())) return
    try {
      await setKey(next)
      setText('')
      setFailure(null)
    } catch (error) {
      setFailure(failureOf(error, 'The key'))
    }
  }
  if (key.status === 'failed') return <FailureNote failure={key.failure} />
  if (!state) return <p className="quiet">Looking for the key …</p>
  const kept = state.from === 'keychain' || state.from === 'file'
  return (
    <section className="coach-key stack line-above gap-6" aria-label="Key">
      <label className="control-label" htmlFor={id}>
        Key
      </label>
      <p className={`${state.from === 'none' ? '' : 'coach-key-have '}text-s dim break-words`}>
        {state.from === 'none' ? '○' : '●'} {keyText(state)}
      </p>
      {failure && <FailureNote failure={failure} />}
      {state.canStore ? (
        <>
          <div className="coach-key-line gap-8 flex">
            <Input
              id={id}
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder={kept ? 'another key' : 'paste a key'}
              value={text}
              onText={setText}
            />
            <Button
              className="button-tall"
              disabled={text.trim() === ''}
              onClick={() => void change(text.trim())}
            >
              Keep this key
            </Button>
            <Button className="button-tall" disabled={!kept} onClick={() => void change(null)}>
              Forget it
            </Button>
          </div>
          <p className="quiet text-s">
            {state.where !== null && !kept && <>It would be kept in {state.where}. </>}A kept key
            goes to the address above only, and is never shown again. A server on this machine may
            need none.
          </p>
        </>
      ) : (
        <p className="warning">
          A key cannot be kept here{state.why === null ? '' : `: ${state.why}`}. Give it in the
          environment instead, as TURNSCOPE_COACH_KEY, before Turnscope starts.
        </p>
      )}
    </section>
  )
}
