import { useEffect, useRef, useState } from 'react'
import type { CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { valueOf, type Failure } from '../../app/async-data.ts'
import { loadCoachSettings } from './coach.ts'
import {
  formOf,
  loadKeyState,
  readForm,
  saveCoachSettings,
  testConnection,
  type CoachForm,
  type Tested,
} from './settings.ts'
import { useCoach } from './store.ts'
import { failureOf } from '../../app/host.ts'
import { duration } from '../../ui/format.ts'
import { Modal } from '../../ui/modal.tsx'
import { FAILURE_TITLES } from './words.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { FormField, ModeChoice, WhatLeaves } from './coach-form.tsx'
import { KeySection } from './coach-key.tsx'

/** Settings of the coach. Off until a person turns the model on. */
export function CoachSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useCoach((state) => state.settings)
  useEffect(() => {
    void loadCoachSettings()
    void loadKeyState()
  }, [])
  const known = valueOf(settings)
  return (
    <Modal title="Coach" className="modal-coach" onClose={onClose}>
      {settings.status === 'failed' && <FailureNote failure={settings.failure} />}
      {known ? (
        <Form stored={known} onClose={onClose} />
      ) : (
        settings.status !== 'failed' && <InspectorSkeleton />
      )}
    </Modal>
  )
}

type Test =
  | { readonly status: 'none' }
  | { readonly status: 'asking' }
  | { readonly status: 'done'; readonly tested: Tested }

function useForm(stored: CoachSettings) {
  const [form, setForm] = useState<CoachForm>(() => formOf(stored))
  const [shown, setShown] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const read = readForm(form)
  const problems = 'problems' in read && shown ? read.problems : {}
  /** True when what was typed is stored. */
  const save = async (): Promise<boolean> => {
    setShown(true)
    if ('problems' in read) return false
    try {
      await saveCoachSettings(read.settings)
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
  const [test, setTest] = useState<Test>({ status: 'none' })
  const controller = useRef<AbortController | null>(null)
  useEffect(
    () => () => {
      controller.current?.abort()
    },
    [],
  )
  const run = async () => {
    controller.current?.abort()
    const asking = new AbortController()
    controller.current = asking
    if (!(await save())) return
    setTest({ status: 'asking' })
    try {
      const tested = await testConnection(asking.signal)
      if (!asking.signal.aborted) setTest({ status: 'done', tested })
    } catch (error) {
      setTest({ status: 'none' })
      if (!asking.signal.aborted) onFailure(failureOf(error, 'The connection'))
    }
  }
  return { test, run }
}

function Form({
  stored,
  onClose,
}: {
  readonly stored: CoachSettings
  readonly onClose: () => void
}) {
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
        <ModeChoice {...field} />
        <WhatLeaves {...field} />
        <fieldset className="coach-fields shrink stack gap-12" disabled={form.mode === 'off'}>
          <legend className="visually-hidden">The model</legend>
          <label className="form-field">
            <span className="control-label">Provider</span>
            <select
              className="field select"
              value={form.provider}
              onChange={(event) => {
                const provider =
                  event.target.value === 'anthropic' ? 'anthropic' : 'openai-compatible'
                put({ provider })
              }}
            >
              <option value="anthropic">Anthropic</option>
              <option value="openai-compatible">OpenAI-compatible (Ollama, vLLM, LM Studio)</option>
            </select>
          </label>
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
        </fieldset>
        {form.mode === 'model' && <KeySection before={save} />}
      </div>
      <div className="row wrap no-shrink line-above pad">
        <TestResult test={test} />
        <span className="grow" />
        {form.mode === 'model' && (
          <button
            type="button"
            className="button"
            disabled={test.status === 'asking'}
            title="One short call without any text of a session"
            onClick={() => void run()}
          >
            {changed ? 'Save and test the connection' : 'Test the connection'}
          </button>
        )}
        <button type="submit" className="button button-primary" disabled={!changed}>
          Save
        </button>
      </div>
    </form>
  )
}

function TestResult({ test }: { readonly test: Test }) {
  if (test.status === 'none') return null
  if (test.status === 'asking')
    return (
      <p className="coach-test text-s break-words" role="status">
        <span className="pulse" aria-hidden /> Asking the model …
      </p>
    )
  const { ok, failure, elapsedMs } = test.tested
  if (ok)
    return (
      <p className="coach-test text-s break-words good" role="status">
        ✓ It works: key, address and model. {duration(elapsedMs)}
      </p>
    )
  return (
    <p className="coach-test text-s break-words bad" role="alert">
      ✕ {failure ? `${FAILURE_TITLES[failure.kind]}: ${failure.what}. ${failure.do}` : 'It failed.'}
    </p>
  )
}
