import { useEffect, useState } from 'react'
import type { CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import type { AsyncData, Failure } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { RestrictedNote } from '../../app/restricted-note.tsx'
import { call } from '../../app/question.ts'
import { useOwnQuery } from '../../app/use-query.ts'
import { Answered, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/form.tsx'
import { duration } from '../../ui/format.ts'
import { FormField, KeySection, ModeChoice, WhatLeaves } from './coach-form.tsx'
import { loadCoachSettings } from '../../stores/coach/coach.ts'
import {
  type CoachForm,
  type Tested,
  formOf,
  loadKeyState,
  readForm,
  saveCoachSettings,
} from './settings.ts'
import { useCoach } from '../../stores/coach/store.ts'
import { FAILURE_TITLES } from '../../views/coach/words.ts'

/** Settings of the coach. The model is off until the operator enables it. */
export function CoachSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useCoach((state) => state.settings)
  useEffect(() => {
    void loadCoachSettings()
    void loadKeyState()
  }, [])
  return (
    <Dialog title="Coach" className="modal-coach" onClose={onClose}>
      <Answered data={settings} failure="above">
        {(stored) => <Form stored={stored} onClose={onClose} />}
      </Answered>
    </Dialog>
  )
}

function useForm(stored: CoachSettings) {
  const [form, setForm] = useState<CoachForm>(() => formOf(stored))
  // The form's initial settings. Changes stored by another window do not affect it.
  const [before, setBefore] = useState(stored)
  const [shown, setShown] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const read = readForm(form)
  const problems = 'problems' in read && shown ? read.problems : {}
  /** Returns true if the typed settings are stored. */
  const save = async (): Promise<boolean> => {
    setShown(true)
    if ('problems' in read) return false
    try {
      await saveCoachSettings(read.settings, before)
      setBefore(read.settings)
      await loadKeyState()
      setFailure(null)
      return true
    } catch (error) {
      setFailure(failureOf(error, 'Settings of the coach'))
      return false
    }
  }
  const put = (patch: Partial<CoachForm>) => setForm({ ...form, ...patch })
  const changed = JSON.stringify(form) !== JSON.stringify(formOf(stored))
  return { form, put, problems, save, failure, setFailure, changed }
}

function useTest(save: () => Promise<boolean>, onFailure: (failure: Failure) => void) {
  const { query, data } = useOwnQuery<Tested>()
  const run = async () => {
    query.show(null)
    if (!(await save())) return
    await query.ask(call('coach.test', {}, { where: 'The connection' }))
    const answer = query.get()
    if (answer.status === 'failed') onFailure(answer.failure)
  }
  return { test: data, run }
}

const PROVIDERS = ['anthropic', 'openai-compatible'] as const
const PROVIDER_WORDS = {
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI-compatible (Ollama, vLLM, LM Studio)',
} as const

interface FormProps {
  readonly stored: CoachSettings
  readonly onClose: () => void
}

function Form({ stored, onClose }: FormProps) {
  const { form, put, problems, save, failure, setFailure, changed } = useForm(stored)
  const { test, run } = useTest(save, setFailure)
  const field = { form, put, problems }
  return (
    <form
      className="coach-form shrink-y column"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save().then((stays) => {
          if (stays) onClose()
        })
      }}
    >
      <div className="coach-form-body stack scroll gap-12 pad-16">
        {failure && <FailureNote failure={failure} />}
        <RestrictedNote />
        <ModeChoice {...field} />
        <WhatLeaves {...field} />
        <fieldset className="coach-fields shrink stack gap-12" disabled={form.mode === 'off'}>
          <legend className="visually-hidden">The model</legend>
          <Field label="Provider" className="form-field">
            <Select
              className="select"
              value={form.provider}
              options={PROVIDERS}
              words={(provider) => PROVIDER_WORDS[provider]}
              onChoose={(provider) => put({ provider })}
            />
          </Field>
          <FormField {...field} name="model" label="Model" />
          <FormField
            {...field}
            name="baseUrl"
            label="Base URL"
            wide
            placeholder={
              form.provider === 'anthropic'
                ? 'the provider’s own'
                : 'for example http://127.0.0.1:11434/v1'
            }
          />
          <FormField {...field} name="inputPrice" label="Price in, $ per million tokens" number />
          <FormField {...field} name="outputPrice" label="Price out, $ per million tokens" number />
          <FormField {...field} name="timeoutSeconds" label="Timeout, seconds" number />
          <FormField {...field} name="rateLimit" label="At most calls a minute" number />
          <FormField {...field} name="maxCost" label="At most, $ a run" number />
          <FormField {...field} name="maxTokens" label="At most, tokens a run" number />
        </fieldset>
        {form.mode === 'model' && <KeySection before={save} />}
      </div>
      <div className="row wrap no-shrink line-above pad">
        <TestResult test={test} />
        <span className="grow" />
        {form.mode === 'model' && (
          <Button
            disabled={test.status === 'loading'}
            title="One short call without any text of a session"
            onClick={() => void run()}
          >
            {changed ? 'Save and test the connection' : 'Test the connection'}
          </Button>
        )}
        <Button type="submit" kind="primary" disabled={!changed}>
          Save
        </Button>
      </div>
    </form>
  )
}

function TestResult({ test }: { readonly test: AsyncData<Tested> }) {
  if (test.status === 'loading')
    return (
      <p className="coach-test text-s break-words" role="status">
        <span className="pulse" aria-hidden /> Asking the model …
      </p>
    )
  if (test.status !== 'ready') return null
  const { ok, failure, elapsedMs } = test.value
  const why = failure && `${FAILURE_TITLES[failure.kind]}: ${failure.what}. ${failure.do}`
  return (
    <p
      className={`coach-test text-s break-words ${ok ? 'good' : 'bad'}`}
      role={ok ? 'status' : 'alert'}
    >
      {ok
        ? `✓ It works: key, address and model. ${duration(elapsedMs)}`
        : `✕ ${why ?? 'It failed.'}`}
    </p>
  )
}
