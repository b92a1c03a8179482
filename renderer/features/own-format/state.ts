import type { OpenSource } from '../../../core/wire/contract.ts'
import { type AsyncData, type Failure, idle } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { openSource } from '../../app/open.ts'
import { createQuery, featureStore, followed } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'
import { isMappable, patchView, type ShownSource, store } from '../../app/store.ts'
import { createTask } from '../../app/task.ts'

type Seen = Answer<'formats.watch'>

interface OwnFormats {
  readonly files: AsyncData<Answer<'formats.list'>>
  /** The transcript that mappings are tried on. */
  readonly source: ShownSource | null
  /** Name of the mapping, without folder and extension. */
  readonly name: string
  /** The file on disk; its text is null if it does not exist. */
  readonly disk: Seen | null
  /** The operator's edit of `disk.text`; null if unedited. */
  readonly typed: string | null
  /** Fingerprint of the text that the draft is over. */
  readonly over: string | null
  readonly preview: AsyncData<Answer<'formats.preview'>>
  /** The format that opens the file already. */
  readonly known: string | null
  readonly isSaving: boolean
  readonly failure: Failure | null
}

const own = featureStore<OwnFormats>({
  files: idle,
  source: null,
  name: '',
  disk: null,
  typed: null,
  over: null,
  preview: idle,
  known: null,
  isSaving: false,
  failure: null,
})
const { store: state, patch, place } = own
export const { use: useOwnFormats } = own

/** Text in the editor. */
export const textOf = ({ typed, disk }: OwnFormats): string => typed ?? disk?.text ?? ''
export const isTyped = ({ typed, disk }: OwnFormats): boolean =>
  typed !== null && typed !== (disk?.text ?? '')
/** [F20] Another program changed the file after the operator started to edit. */
export const isTheirs = (now: OwnFormats): boolean =>
  isTyped(now) && (now.disk?.fingerprint ?? null) !== now.over

/** A source as the host takes it; null for one whose bytes it does not have. */
function asked(source: ShownSource | null): OpenSource | null {
  if (source?.kind !== 'upload') return source
  return source.upload === null ? null : { kind: 'upload', upload: source.upload }
}

const files = createQuery({ place: place('files') })
const watching = createTask()

/** Follows the file of a mapping. Changes by an external editor appear immediately. */
function watch(name: string): void {
  watching.subscribe(
    'formats.watch',
    { name },
    {
      next: (disk) => {
        const { typed, over, disk: before } = state.getState()
        const isUntouched = typed === null || typed === (before?.text ?? '')
        patch({ disk, ...(isUntouched ? { typed: null, over: disk.fingerprint } : { over }) })
      },
      error: (error) => patch({ failure: failureOf(error, name) }),
    },
  )
}

/** [U185] Sent when the answer for the previous input has arrived. */
followed({
  place: place('preview'),
  watch: [state],
  question: () => {
    const now = state.getState()
    const source = asked(now.source)
    const text = textOf(now)
    if (source === null || text.trim() === '' || now.name === '') return null
    const question = call(
      'formats.preview',
      { source, name: now.name, text },
      // The transcript may have grown.
      { where: 'The preview', isLasting: () => false },
    )
    return { ...question, topic: 'preview' }
  },
})

/** [U185] Opens the dialog on the file that is open, or that could not be opened. */
export function openFormats(source: ShownSource | null = store.getState().document.source): void {
  patch({
    source: source?.kind === 'scratch' || source?.kind === 'result' ? null : source,
    failure: null,
    known: null,
  })
  patchView({ dialog: 'formats' })
  void begin()
}

async function begin(): Promise<void> {
  await files.ask(call('formats.list', {}, { where: 'Formats' }))
  const { files: listed, name, source } = state.getState()
  const all = listed.status === 'ready' ? listed.value.files : []
  // Restores the mapping that was being edited.
  if (name !== '' && (isTyped(state.getState()) || all.some((file) => file.name === name)))
    watch(name)
  else if (source === null && all[0] !== undefined) chooseFormat(all[0].name)
  else await newFormat()
}

/** The dialog is closed. The edit is kept until the page is left. */
export function leaveFormats(): void {
  watching.stop()
}

export function chooseFormat(name: string): void {
  patch({ name, disk: null, typed: null, over: null, failure: null, preview: idle })
  watch(name)
}

/** [I145] Creates a mapping with a draft derived from the file. */
export async function newFormat(): Promise<void> {
  watching.stop()
  const { source: shown, files: listed } = state.getState()
  const source = asked(shown)
  const taken = listed.status === 'ready' ? listed.value.files.map((file) => file.name) : []
  const name = freeName(taken)
  patch({ name, disk: null, typed: '', over: null, failure: null, preview: idle })
  if (source === null) {
    patch({ typed: EXAMPLE })
    return
  }
  try {
    const { text, known, problem } = await host().call('formats.start', { source })
    if (state.getState().name !== name) return
    patch({ typed: text === '' ? EXAMPLE : text, known, failure: problem })
  } catch (error) {
    patch({ typed: EXAMPLE, failure: failureOf(error, 'The file') })
  }
}

function freeName(taken: readonly string[]): string {
  const names = ['my-format', ...Array.from({ length: 99 }, (_, at) => `my-format-${at + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? 'my-format'
}

/** Initial mapping if no file is given. */
const EXAMPLE = `# A format of your own: paths say where things stand in your file.
# $ is one line of the file, one item of its list, or the one object
# that it is; @ is one record.
label: "My format"
match: # what shows the format
  - path: "$.speaker"
records: "$"
roles: # what your names of speakers mean
  human: user
  bot: agent
events:
  - role: "@.speaker"
    text: "@.text"
`

export function typeFormat(typed: string): void {
  patch({ typed, failure: null })
}

export function nameFormat(name: string): void {
  patch({ name, failure: null })
}

/** Replaces the edit with the version saved by another program. */
export function takeTheirs(): void {
  patch({ typed: null, over: state.getState().disk?.fingerprint ?? null, failure: null })
}

/** Writes the mapping into the workspace; true when it is there. */
export async function saveFormat(overwrites = false): Promise<boolean> {
  const now = state.getState()
  const { name, disk, over } = now
  const text = textOf(now)
  patch({ isSaving: true, failure: null })
  try {
    const before = overwrites ? (disk?.fingerprint ?? null) : over
    const { file, fingerprint } = await host().call('formats.save', {
      name,
      text,
      fingerprint: before,
    })
    patch({ disk: { file, text, fingerprint }, typed: null, over: fingerprint })
    watch(name)
    await files.ask(call('formats.list', {}, { where: 'Formats' }))
    return true
  } catch (error) {
    patch({ failure: failureOf(error, name) })
    return false
  } finally {
    patch({ isSaving: false })
  }
}

/** [U186] Saves the edit and opens the file with this mapping, even if another format recognizes it. */
export async function openWithFormat(): Promise<void> {
  const now = state.getState()
  const { source, name } = now
  if (!isMappable(source)) return
  if ((isTyped(now) || (now.disk?.text ?? null) === null) && !(await saveFormat())) return
  patchView({ dialog: null })
  openSource({ ...source, map: name })
}
