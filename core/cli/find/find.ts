import { counted } from '../../engine/result.ts'
import { withoutCodes } from '../../engine/terminal-codes.ts'
import { shownName } from '../../engine/context/source.ts'
import { realpath, stat } from '../../host/platform/files/fenced-fs.ts'
import { join, resolve } from 'node:path'
import { createMatcher, type ReplayFacts } from '../../engine/find/match.ts'
import { createForks, type Said } from '../../engine/forks.ts'
import { excerptOf } from '../../engine/find/excerpt.ts'
import { parseQuery } from '../../engine/find/parse.ts'
import type { Query } from '../../engine/find/query.ts'
import { textOf, type SessionEvent } from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { walkFolder } from '../../host/platform/files/walk.ts'
import type { FormatsOf } from '../../host/transcripts/own-formats.ts'
import { isTranscript } from '../../host/transcripts/read-transcript.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { fileSources, presetStages } from '../../host/find/session/file-sources.ts'
import { factsFor } from '../../host/find/session/find-handlers.ts'
import { findEvents } from '../../host/find/session/find.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { LINKS, type Linker, openLinker } from '../kit/links.ts'
import { type Replayer, openReplayer, ownFormats, readFile } from '../replay/replayer.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { CONFIG, type Given, configOf, text } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import { STANDARD_INPUT } from '../kit/standard-input.ts'

const OPTIONS = {
  compare: text('--compare <preset>', 'second preset, which flip: and compare: ask'),
  ...LINKS,
  ...CONFIG,
}

const HELP = `
A query is words, "quoted text", /regular expressions/flags and filters, all of which must hold:
  role:user,agent,tool,harness,system   kind:tool_result   tool:bash,mcp__*   name:ann   error:yes
  text:"a b",/c+/   domain:research   signal:stuck   event:break,resist
  flip:domain,primary,query,self,prompt
  label:wrong,right,coding   verdict:question   held:coding   query:code   compare:research
  context:rule,skill,hook   skill:release*   injected:CLAUDE.md   tokens>150k   tokens<2000
tokens: recorded tokens in the context of the call that made the event, or of the next one.
- before a term excludes it. Commas are alternatives.

Exit codes: 0 something was found, 1 nothing was, 2 usage or input error.`

/** `find QUERY PATH…`: events of transcripts, in files and folders. */
export const find = command({
  name: 'find',
  summary: 'find events of transcripts, in files and folders',
  args: [
    ['<query>', 'what to find'],
    ['<path...>', 'transcripts, or folders of them'],
  ],
  options: OPTIONS,
  help: HELP,
  run: async (options, written, paths) => {
    const query = valueOrFail(parseQuery(written))
    const facts = await factsWith(query, options)
    const formats = ownFormats(options)
    const { signal } = new AbortController()
    const link = await openLinker(options)
    let total = 0
    const forks = createForks()
    let copies = 0
    for (const path of paths) {
      for await (const file of transcriptsAt(path, formats, signal)) {
        const opened = await readFile(file, formats)
        for (const [index, session] of opened.transcript.sessions.entries()) {
          const skipped = forks.take(session, saidIn(session))
          const json = options.json === true
          const finding = { file, index, session, query, link, json, skipped }
          const found = await findInSession(finding, await facts(session, { file, index }))
          total += found.shown
          copies += found.copies
        }
        opened.close()
      }
    }
    if (copies > 0)
      notice(`${counted(copies, 'event')} left out: copies of events of a session that was forked`)
    if (total === 0) process.exitCode = EXIT.findings
  },
})

interface Whose {
  readonly file: string
  readonly index: number
}
type Facts = (session: Session, of: Whose) => Promise<ReplayFacts | null>
/** Two configurations that a query may ask about, ready to replay. */
export interface FindUnder {
  readonly workspace: Workspace
  readonly config: ReplayConfig
  readonly base: Pick<Replayer, 'replay'>
  readonly other: Pick<Replayer, 'replay'> | null
  readonly signal: AbortSignal
}

async function factsWith(
  query: Query,
  { compare, ...options }: Given<typeof OPTIONS>,
): Promise<Facts> {
  if (!query.needsReplay) return () => Promise.resolve(null)
  const base = await openReplayer(options)
  const other =
    compare === undefined || !query.needsCompare
      ? null
      : await openReplayer({ ...options, preset: compare })
  const workspace = openWorkspace(options.workspace, HOME)
  const { signal } = new AbortController()
  return factsUnder(query, { workspace, config: configOf(options), base, other, signal })
}

/** Replays only the configurations that the query needs. */
export function factsUnder(
  query: Query,
  { workspace, config, base, other, signal }: FindUnder,
): Facts {
  return async (session, { file, index }) => {
    if (!query.needsReplay) return null
    const sources = fileSources({ path: resolve(file), workspace, limit, signal })(index, session)
    const sides = { config, compare: other }
    return factsFor(query, sides, {
      session,
      sources,
      replayed: () => base.replay(session),
      otherOf: async (under: Pick<Replayer, 'replay'>) => {
        const decided = await under.replay(session)
        return { replay: decided, decided }
      },
      stagesOf: presetStages({ session, workspace, limit, signal }),
    })
  }
}

/** A file as it is given; of a folder, the files that are transcripts. */
export async function* transcriptsAt(
  path: string,
  formats: FormatsOf,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (path === STANDARD_INPUT) {
    yield path
    return
  }
  const info = await stat(path).catch(() => null)
  if (info === null) {
    throw new CommandError({
      what: 'there is no such file or folder',
      where: path,
      do: 'Check the path',
    })
  }
  if (!info.isDirectory()) {
    yield path
    return
  }
  const { files } = await walkFolder(await realpath(path), signal)
  for (const file of files) {
    const each = join(path, file.path)
    if (await isTranscript(each, signal, valueOrFail(await formats()))) yield each
  }
}

interface Finding {
  readonly file: string
  /** Number of the session in the file, from 0. */
  readonly index: number
  readonly link: Linker
  readonly session: Session
  readonly query: Query
  readonly json: boolean
  /** [I212] Events that another session has already had. */
  readonly skipped: ReadonlySet<number>
}

const limit = createTimeLimit()

/** Events that a fork may have copied. */
function* saidIn({ events, texts }: Session): Generator<Said, void, undefined> {
  for (const event of events) yield { seq: event.seq, kind: event.kind, text: textOf(event, texts) }
}

async function findInSession(
  finding: Finding,
  facts: ReplayFacts | null,
): Promise<{ readonly shown: number; readonly copies: number }> {
  const { file, session, query } = finding
  const matcher = valueOrFail(createMatcher(query, { facts, events: session.events }))
  const breath = () => undefined
  const { seqs, cutOff, more } = await findEvents(session, matcher, { limit, breath })
  let copies = 0
  for (const seq of seqs) {
    if (finding.skipped.has(seq)) {
      copies += 1
      continue
    }
    const event = session.events[seq]
    if (event !== undefined) await print(`${shown(finding, event)}\n`)
  }
  if (more) notice(`${file}: more than ${seqs.length} events; only the first are shown`)
  if (cutOff > 0) notice(`${file}: the regular expression ran out of time on ${cutOff} texts`)
  return { shown: seqs.length - copies, copies }
}

function shown(finding: Finding, event: SessionEvent): string {
  const { file, index, session, query, link, json } = finding
  const { seq, kind, at, source } = event
  const name = shownName(event)
  const whole = textOf(event, session.texts)
  const made = limit(() => excerptOf({ text: whole }, query), 1000)
  const excerpt = made.ok ? made.value : { text: whole.slice(0, 240), spans: [] }
  if (json) {
    const place = { file, session: session.id, seq, line: source.line }
    const from = event.from === undefined ? {} : { from: event.from }
    return jsonLine({ ...place, kind, name: event.name, at, ...from, ...excerpt })
  }
  const speaker = name === null ? kind : `${kind} ${name}`
  const place = link({ file, session: index, event: seq }, styled('dim', `${file}:${source.line}`))
  return `${place} ${speaker}: ${marked(excerpt.text, excerpt.spans)}`
}

/** One line, what matched in bold. */
function marked(text: string, spans: ReadonlyArray<readonly [number, number]>): string {
  let line = ''
  let at = 0
  for (const [start, end] of spans) {
    line += flat(text.slice(at, start)) + styled('bold', flat(text.slice(start, end)))
    at = end
  }
  return line + flat(text.slice(at))
}

/** [B25] On one line, without codes of the terminal. */
function flat(text: string): string {
  return withoutCodes(text).replaceAll(/\s+/gu, ' ')
}
