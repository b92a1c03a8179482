import { EmbedderConfig, OLLAMA_URL } from '../../../core/engine/schema/probe-settings.ts'

export const FORM_KINDS = ['folder', 'ollama', 'openai'] as const
export type FormKind = (typeof FORM_KINDS)[number]

type Field = 'title' | 'path' | 'url' | 'model' | 'keyEnv'

export interface EmbedderForm {
  readonly kind: FormKind
  readonly fields: Readonly<Record<Field, string>>
}

/** Fields that a kind has, in order. */
export const FORM_FIELDS: Readonly<Record<FormKind, readonly Field[]>> = {
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

/** What was typed as the wire takes it; null while something is missing or wrong. */
export function formConfig({ kind, fields }: EmbedderForm): EmbedderConfig | null {
  const typed = FORM_FIELDS[kind].map((name) => [name, fields[name].trim()] as const)
  const keyEnv = fields.keyEnv.trim() === '' ? null : fields.keyEnv.trim()
  const config = { kind, ...Object.fromEntries(typed), ...(kind === 'openai' ? { keyEnv } : {}) }
  const read = EmbedderConfig.safeParse(config)
  return read.success ? read.data : null
}
