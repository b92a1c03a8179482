import { useState } from 'react'
import { EmbedderConfig, OLLAMA_URL } from '../../../core/engine/schema/probe-settings.ts'
import type { Failure } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select } from '../../ui/form.tsx'
import { Details } from '../../ui/parts.tsx'
import { addEmbedder } from './state.ts'

const FORM_KINDS = ['folder', 'ollama', 'openai'] as const
type FormKind = (typeof FORM_KINDS)[number]

type Field = 'title' | 'path' | 'url' | 'model' | 'keyEnv'

interface EmbedderForm {
  readonly kind: FormKind
  readonly fields: Readonly<Record<Field, string>>
}

/** Fields that a kind has, in order. */
const FORM_FIELDS: Readonly<Record<FormKind, readonly Field[]>> = {
  folder: ['title', 'path'],
  ollama: ['title', 'url', 'model'],
  openai: ['title', 'url', 'model', 'keyEnv'],
}

export function newForm(): EmbedderForm {
  return {
    kind: 'folder',
    fields: { title: '', path: '', url: OLLAMA_URL, model: '', keyEnv: '' },
  }
}

/** The form's values as wire input; null if a field is missing or invalid. */
export function formConfig({ kind, fields }: EmbedderForm): EmbedderConfig | null {
  const typed = FORM_FIELDS[kind].map((name) => [name, fields[name].trim()] as const)
  const keyEnv = fields.keyEnv.trim() === '' ? null : fields.keyEnv.trim()
  const config = { kind, ...Object.fromEntries(typed), ...(kind === 'openai' ? { keyEnv } : {}) }
  const read = EmbedderConfig.safeParse(config)
  return read.success ? read.data : null
}

const KINDS: Readonly<Record<FormKind, { readonly word: string; readonly note: string }>> = {
  folder: {
    word: 'A folder with an ONNX model and its tokenizer',
    note: 'Runs on this machine: no text leaves it.',
  },
  ollama: {
    word: 'Ollama',
    note: 'Texts go to that address. On this machine they stay here; anywhere else they leave it.',
  },
  openai: {
    word: 'OpenAI-compatible endpoint',
    note: 'Texts of messages and documents are sent to that address, and leave this machine unless it is here. The key is read from the environment variable and stored nowhere.',
  },
}

const LABELS: Readonly<Record<keyof EmbedderForm['fields'], string>> = {
  title: 'Title',
  path: 'Folder',
  url: 'Address',
  model: 'Model',
  keyEnv: 'Environment variable with the key',
}

/** Adds the operator's own embedder. It receives no request until it is first used. */
export function AddEmbedder() {
  const [form, setForm] = useState<EmbedderForm>(newForm)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [added, setAdded] = useState<string | null>(null)
  const config: EmbedderConfig | null = formConfig(form)
  const add = async (wanted: EmbedderConfig) => {
    try {
      await addEmbedder(wanted)
      setAdded(wanted.title)
      setFailure(null)
      setForm(newForm())
    } catch (error) {
      setFailure(failureOf(error, wanted.title))
    }
  }
  return (
    <Details className="collections-dialog-new" summary="Add an embedder">
      <form
        className="collections-dialog-form wrap flex"
        onSubmit={(event) => {
          event.preventDefault()
          if (config) void add(config)
        }}
      >
        <Field label="Kind" className="form-field collections-dialog-wide">
          <Select
            className="select"
            value={form.kind}
            options={FORM_KINDS}
            words={(kind) => KINDS[kind].word}
            onChoose={(kind) => setForm({ ...form, kind })}
          />
        </Field>
        {FORM_FIELDS[form.kind].map((name) => (
          <Field key={name} label={LABELS[name]} className="form-field">
            <Input
              value={form.fields[name]}
              onText={(text) => setForm({ ...form, fields: { ...form.fields, [name]: text } })}
            />
          </Field>
        ))}
        <Button className="button-tall" type="submit" disabled={config === null}>
          Add
        </Button>
        <p
          className={`${form.kind === 'folder' ? 'quiet' : 'warning'} collections-dialog-note text-s`}
        >
          {KINDS[form.kind].note}
        </p>
      </form>
      {failure && <FailureNote failure={failure} />}
      {added !== null && (
        <p className="collections-dialog-note text-s" role="status">
          {added} is in the list. Measure its threshold before you trust its hits.
        </p>
      )}
    </Details>
  )
}
