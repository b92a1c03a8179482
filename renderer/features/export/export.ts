import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Output, RpcError } from '../../../core/wire/rpc.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import {
  DEFAULT_KINDS,
  type RedactionFinding,
  type RedactionKind,
} from '../../../core/engine/schema/redaction.ts'
import { type AsyncData, advanced, failed, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Answer, type Question, stream } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'
import { download } from '../../ui/download.ts'

/** How people are told what is taken out. */
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
  ip: { many: 'IP addresses', about: 'IPv4 and IPv6, but for this machine and documentation' },
}

export type Finding = Immutable<RedactionFinding>

/** What an export would take out, and what it cannot carry. */
export type Review = Answer<'export.review'>

/** What an export is written as. */
export const FORMS = {
  lines: {
    title: 'Turnscope JSONL',
    about: 'The sessions, to be opened in Turnscope or read by a script.',
    ending: '.turnscope.jsonl',
  },
  page: {
    title: 'One HTML file',
    about:
      'The sessions and the workbench in a file that opens by double click, without Turnscope. Whoever has it can replay, compare and edit signals in it; 3 MB more than the transcript.',
    ending: '.html',
  },
} as const

export const FORM_NAMES = ['lines', 'page'] as const

/** What is exported. */
export interface ExportChoice {
  readonly as: keyof typeof FORMS
  /** Sessions of the file by index; null = all. */
  readonly sessions: readonly number[] | null
  readonly kinds: readonly RedactionKind[]
  /** Findings that stay as they are, by id. */
  readonly keep: ReadonlySet<string>
}

export const firstChoice: ExportChoice = {
  as: 'lines',
  sessions: null,
  kinds: DEFAULT_KINDS,
  keep: new Set(),
}

export interface Written {
  readonly bytes: number
  readonly redacted: number
  /** Null = handed to the browser as a download. */
  readonly path: string | null
}

type Put<T> = (change: (before: AsyncData<T>) => AsyncData<T>) => void

function input({ sessions, kinds }: ExportChoice) {
  const opened = valueOf(store.getState().document.opened)
  return opened && { key: opened.key, sessions: sessions && [...sessions], kinds: [...kinds] }
}

/** Looks for what would be taken out. */
export function reviewing(choice: ExportChoice): Question<Review> | null {
  const request = input(choice)
  return request && stream('export.review', request, { where: 'Review' })
}

/** [U9] What stands there after Cancel: nothing is written that nobody has seen. */
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
 * Writes the export: where the shell has a native dialog to the path chosen there, else as a download.
 * Returns the function that stops it.
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

type Step = Output<TurnscopeContract, 'export.write'> | Output<TurnscopeContract, 'page.write'>

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
        if (path === null) download(parts, suggestedName(choice.as))
        put(() => ready({ bytes: message.bytes, redacted: message.redacted, path }))
      }
    },
    error: (error: RpcError) => put(() => failed(failureOf(error, path ?? 'Export'))),
  }
  if (choice.as === 'lines') return host().subscribe('export.write', to, on)
  const { document, view } = store.getState()
  const version = valueOf(document.info)?.version ?? ''
  const { over = null, preset = null } = view.compare ?? {}
  // A page holds presets, not drafts, revisions or what lies outside of it.
  const compare = over === null && preset !== view.run.preset ? preset : null
  return host().subscribe(
    'page.write',
    { ...to, config: wireConfig(view.run), compare, version },
    on,
  )
}
