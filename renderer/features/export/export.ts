import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Output, RpcError } from '../../../core/wire/rpc.ts'
import type { ExportForm } from '../../../core/engine/schema/export-form.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import {
  DEFAULT_KINDS,
  type RedactionFinding,
  type RedactionKind,
} from '../../../core/engine/schema/redaction.ts'
import { type AsyncData, advanced, failed, loading, ready, valueOf } from '../../app/async-data.ts'
import { compareName, wireCompared } from '../../app/compared.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Answer, type Question, stream } from '../../app/question.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { type State, store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'
import { download } from '../../ui/download.ts'

/** Display names of the kinds of redaction. */
export const KIND_WORDS: Readonly<
  Record<RedactionKind, { readonly many: string; readonly about: string }>
> = {
  key: {
    many: 'Keys and passwords',
    about: 'API keys, private keys, passwords in URLs and settings',
  },
  token: { many: 'Tokens', about: 'Bearer tokens, session cookies, signed tokens' },
  email: { many: 'E-mail addresses', about: 'Addresses of people' },
  home: { many: 'Home paths', about: 'Paths that name a person of this or another machine' },
  phone: {
    many: 'Phone numbers',
    about: 'Numbers with the code of a country, or as written at home',
  },
  card: { many: 'Card numbers', about: 'Numbers of credit cards whose check digit is right' },
  iban: { many: 'Bank accounts', about: 'IBANs whose check digits are right' },
  ip: { many: 'IP addresses', about: 'IPv4 and IPv6, except loopback and documentation ranges' },
}

export type Finding = Immutable<RedactionFinding>

/** The redactions of an export, and the content that it cannot carry. */
export type Review = Answer<'export.review'>

/** A form of export, and the content that it cannot carry. */
interface Form {
  readonly title: string
  readonly about: string
  readonly ending: string
  /** On the button. */
  readonly save: string
  readonly type: string
  /** [U182] In addition to content that no form of this transcript carries. */
  readonly lacks: readonly string[]
}

/** [U180] */
export const FORMS: Readonly<Record<'lines' | 'page' | ExportForm, Form>> = {
  lines: {
    title: 'Turnscope JSONL',
    about: 'The sessions, to be opened in Turnscope or read by a script.',
    ending: '.turnscope.jsonl',
    save: 'JSONL',
    type: 'application/x-ndjson',
    lacks: [],
  },
  page: {
    title: 'One HTML file',
    about:
      'The sessions and the workbench in a file that opens by double click, without Turnscope. Its readers can replay, compare and edit signals.',
    ending: '.html',
    save: 'HTML',
    type: 'text/html',
    lacks: [],
  },
  markdown: {
    title: 'Markdown',
    about: 'For a pull request: one turn with its evidence, or every turn that flips.',
    ending: '.md',
    save: 'Markdown',
    type: 'text/markdown',
    lacks: ['labels and notes', 'texts beyond their first 2,000 characters; 90 in a table'],
  },
  jsonl: {
    title: 'Traces JSONL',
    about: 'A line a turn: its text, every signal, scores and momentum, as replay --json has them.',
    ending: '.traces.jsonl',
    save: 'traces',
    type: 'application/x-ndjson',
    lacks: [
      'events that are no turns',
      'what the probe finds',
      'labels and notes',
      'the comparison',
    ],
  },
  otel: {
    title: 'OpenTelemetry GenAI',
    about: 'Spans as OTLP/JSON for Phoenix, Langfuse and others. Turnscope opens them again.',
    ending: '.otlp.json',
    save: 'spans',
    type: 'application/json',
    lacks: [
      'signals and reasons: a span has what its turn decided',
      'labels, notes, the comparison',
    ],
  },
  csv: {
    title: 'CSV of the columns',
    about: 'A line a turn for a spreadsheet: domains, scores and momentum.',
    ending: '.turns.csv',
    save: 'CSV',
    type: 'text/csv',
    lacks: [
      'what was said',
      'signals, and scores of other domains',
      'labels, notes, the comparison',
    ],
  },
}

export const FORM_NAMES = ['lines', 'page', 'markdown', 'jsonl', 'otel', 'csv'] as const

/** [U181] Content of a Markdown export. */
export type MarkdownOf = 'turn' | 'comparison'

/** The operator's choices for an export. */
export interface ExportChoice {
  readonly as: (typeof FORM_NAMES)[number]
  /** [U181] Null for the default: the turn if one is selected, else the comparison. */
  readonly of: MarkdownOf | null
  /** [U183] Of a page: its turns as they were typed; empty = from the first, to the last. */
  readonly turns: readonly [from: string, to: string]
  /** Sessions of the file by index; null = all. */
  readonly sessions: readonly number[] | null
  readonly kinds: readonly RedactionKind[]
  /** Ids of findings to leave unredacted. */
  readonly keep: ReadonlySet<string>
  /** [U136] Tour that a page opens with. */
  readonly tour: string | null
  /** [U120] For a page: includes the message texts. */
  readonly text: boolean
  /** [U122] Of a page: signals can be edited in it. */
  readonly edit: boolean
  /** [U123] Of a page: with the draft that is not saved. */
  readonly draft: boolean
}

export const firstChoice: ExportChoice = {
  as: 'lines',
  of: null,
  turns: ['', ''],
  sessions: null,
  kinds: DEFAULT_KINDS,
  keep: new Set(),
  tour: null,
  text: true,
  edit: true,
  draft: false,
}

export interface Written {
  readonly bytes: number
  readonly redacted: number
  /** Null = handed to the browser as a download. */
  readonly path: string | null
}

/** Contents of a page besides its sessions. Without texts nothing can be edited. */
export function pageOptions({ text, edit, draft }: ExportChoice) {
  const editable = text && edit
  return { text, edit: editable, draft: draft && editable }
}

type Put<T> = (change: (before: AsyncData<T>) => AsyncData<T>) => void

/** [U181] Contents that Markdown can have now, the turn first. */
function markdownOf(state: State = store.getState()): readonly MarkdownOf[] {
  const turn = selectedTurn(state) === null ? [] : (['turn'] as const)
  return state.view.compare === null ? turn : [...turn, 'comparison']
}

/** Subject of the Markdown export. Null if there is none, or if another form is chosen. */
export function markdownChosen({ as, of }: ExportChoice): MarkdownOf | null {
  const can = markdownOf()
  if (as !== 'markdown') return null
  return can.find((each) => each === of) ?? can[0] ?? null
}

/** Turns of a page. Null for all; undefined if the typed range is invalid. */
export function pageTurns({
  turns: [from, to],
}: ExportChoice): [number, number] | null | undefined {
  if (from === '' && to === '') return null
  const numbers = [from === '' ? 1 : Number(from), to === '' ? LAST_TURN : Number(to)] as const
  const [first, last] = numbers
  if (!numbers.every((each) => Number.isSafeInteger(each) && each > 0) || last < first)
    return undefined
  return [first, last]
}

/** More turns than any session has. */
const LAST_TURN = 1_000_000_000

function input(choice: ExportChoice) {
  const { document, session } = store.getState()
  const opened = valueOf(document.opened)
  // A turn is one of the session in view.
  const sessions = markdownChosen(choice) === 'turn' ? [session.index] : choice.sessions
  return (
    opened && { key: opened.key, sessions: sessions && [...sessions], kinds: [...choice.kinds] }
  )
}

/** Looks for what would be taken out. */
export function reviewing(choice: ExportChoice): Question<Review> | null {
  const request = input(choice)
  return request && stream('export.review', request, { where: 'Review' })
}

/** [U9] Shown after Cancel. Content that was not reviewed is never written. */
export const STOPPED_REVIEW: AsyncData<Review> = failed({
  what: 'Looking for what to take out was stopped',
  where: '',
  do: 'Nothing can be saved before all of it was looked at.',
})

/** Name of the file that is offered: the transcript's own, with another ending. */
export function suggestedName(as: ExportChoice['as']): string {
  const name = valueOf(store.getState().document.opened)?.name ?? 'session'
  const plain = name.replace(/\.(?:jsonl?|ndjson|txt|md|eval|log|zip)$/iu, '')
  return `${plain.replace(/[\\/:*?"<>|]/gu, '-').slice(0, 150)}${FORMS[as].ending}`
}

/**
 * Writes the export: to the path chosen in the shell's native dialog if it has one, else as a download. Returns a
 * function that stops it.
 */
export function writeExport(choice: ExportChoice, put: Put<Written>): () => void {
  let stop: (() => void) | null = null
  let stopped = false
  const start = async () => {
    const path = await choosePath(choice)
    if (path === undefined || stopped) return
    put((before) => loading(before))
    stop = subscribe(choice, path, put)
  }
  start().catch((error: unknown) => put(() => failed(failureOf(error, 'Export'))))
  return () => {
    stopped = true
    stop?.()
  }
}

/** A path, null for a download, undefined when the dialog was cancelled. */
async function choosePath({ as }: ExportChoice): Promise<string | null | undefined> {
  if (!valueOf(store.getState().document.info)?.nativeDialog) return null
  const { path } = await host().call('dialog.save', { suggested: suggestedName(as) })
  return path ?? undefined
}

type Step = Output<TurnscopeContract, 'export.write' | 'page.write' | 'forms.write'>

function subscribe(choice: ExportChoice, path: string | null, put: Put<Written>): () => void {
  const request = input(choice)
  if (!request) return () => undefined
  const parts: string[] = []
  const to = { ...request, keep: [...choice.keep], path }
  const on = {
    next: (message: Step) => {
      if (message.kind === 'chunk') parts.push(message.text)
      else if (message.kind === 'progress') put((before) => advanced(before, message))
      else {
        if (path === null) download(parts, suggestedName(choice.as), FORMS[choice.as].type)
        put(() => ready({ bytes: message.bytes, redacted: message.redacted, path }))
      }
    },
    error: (error: RpcError) => put(() => failed(failureOf(error, path ?? 'Export'))),
  }
  const { as } = choice
  if (as === 'lines') return host().subscribe('export.write', to, on)
  const { document, view } = store.getState()
  const version = valueOf(document.info)?.version ?? ''
  const written = { ...to, version, config: wireConfig(view.run) }
  if (as !== 'page')
    return host().subscribe('forms.write', { ...written, form: as, ...formSides(choice) }, on)
  const { over = null, preset = null } = view.compare ?? {}
  // A page holds presets, not drafts, revisions or files outside of it.
  const compare = over === null && preset !== view.run.preset ? preset : null
  const turns = pageTurns(choice) ?? null
  // [U136] A tour is of the whole session.
  const tour = turns === null ? choice.tour : null
  return host().subscribe(
    'page.write',
    { ...written, ...pageOptions(choice), compare, turns, tour },
    on,
  )
}

/** [U181] Markdown is of a turn, or has the other side; the other forms are of this side alone. */
function formSides(choice: ExportChoice) {
  const state = store.getState()
  const { run, compare } = state.view
  const of = markdownChosen(choice)
  const turn = (selectedTurn(state) ?? 0) + 1
  const turns: [number, number] | null = of === 'turn' ? [turn, turn] : null
  if (of !== 'comparison' || compare === null) return { turns, compare: null, against: null }
  return { turns, compare: wireCompared(compare), against: compareName(compare, run) }
}
