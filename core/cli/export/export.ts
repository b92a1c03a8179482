import { basename } from 'node:path'
import { redactionNote } from '../../engine/schema/redaction-note.ts'
import { DEFAULT_KINDS } from '../../engine/schema/redaction.ts'
import {
  type ConfigFiles,
  loadConfigOrPaths,
  loadPresetOrPath,
} from '../../host/workspace/config-files.ts'
import { createLabelStore } from '../../host/labels/label-store.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import type { OpenTranscript } from '../../host/transcripts/open-transcript.ts'
import { findTour } from '../../host/workspace/tour-folder.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import { createDraftStore, draftFile } from '../../host/drafts/session/draft-store.ts'
import { withoutTexts } from '../../host/export/session/without-texts.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { exportPage } from '../../host/page/export-page.ts'
import { PAGE_WORKSPACE } from '../../host/page/page-files.ts'
import type { PageRequest, PageSource } from '../../host/page/page-request.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { packageVersion } from '../../version.ts'
import { command } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { CONFIG, type Given, configOf, flag, parsed, parseTurns, text } from '../kit/options.ts'
import { print, valueOrFail, CommandError } from '../kit/output.ts'
import { type Replayer, openReplayer, readFile } from '../replay/replayer.ts'
import { PARTS, type ReplayParts, openParts } from '../replay/replay-parts.ts'
import { type RedactOptions, redactText } from '../../engine/redact/redact.ts'
import { ExportForm } from '../../engine/schema/export-form.ts'
import { readContext } from '../../host/context/read-context.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import { FORM_TEXTS, type Played } from '../../host/export/session/written-forms.ts'

const OPTIONS = {
  html: text('--html <file>', 'one HTML file that opens by itself; - is stdout, here as below'),
  markdown: text(
    '--markdown <file>',
    'turns (--turns) or a comparison (--compare) for a pull request',
  ),
  jsonl: text(
    '--jsonl <file>',
    'a turn a line, as replay --json has them, with the context of the call',
  ),
  otel: text(
    '--otel <file>',
    'OpenTelemetry GenAI spans as OTLP/JSON, for Phoenix, Langfuse and others',
  ),
  csv: text('--csv <file>', 'the columns of the replay, a line a turn'),
  turns: parsed<readonly [number, number]>(
    '--turns <from-to>',
    'only these turns of the first session; in a page momentum starts again',
    parseTurns,
  ),
  compare: text('--compare <preset>', 'open with this preset on the other side'),
  tour: text('--tour <tour>', 'a page opens with this tour: its name, or the path of its file'),
  text: flag('--no-text', 'leave out what was said; decisions stay, and nothing can be edited'),
  edit: flag('--no-edit', 'a page in which nothing can be edited'),
  draft: flag('--draft', 'with the draft of the domain file that was not saved'),
  labels: flag('--no-labels', 'leave out the labels of the files'),
  redact: flag('--no-redact', 'keep secrets, addresses and home paths as they are'),
  ...CONFIG,
  ...PARTS,
}

/** `export FILE…`: a page with the engine inside, or data for other programs. */
export const exporting = command({
  name: 'export',
  summary:
    'write transcripts as one HTML file with the workbench inside, as Markdown, JSONL, OpenTelemetry or CSV',
  args: [['<file...>', 'transcripts of any known format; several become one list of sessions']],
  options: OPTIONS,
  run: async (options, paths) => {
    const turns = options.turns ?? null
    const replayer = await openReplayer(options)
    const { compare } = options
    const other =
      compare === undefined
        ? null
        : { preset: compare, replayer: await openReplayer({ ...options, preset: compare }) }
    refuseTargets(options, { turns, other })
    const workspace = openWorkspace(options.workspace, HOME)
    const { sources, files, close } = await sourcesOf(paths, workspace, options.labels !== false)
    const redaction = options.redact === false ? null : { kinds: DEFAULT_KINDS }
    const { preset } = options
    const parts = options.jsonl === undefined ? null : await openParts(workspace, options)
    const { profile } = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
    const forms = { files, turns, redaction, replayer, preset, other, parts }
    try {
      await writeForms(options, { ...forms, profile: profile?.value ?? null })
    } finally {
      await parts?.close()
    }
    if (options.html !== undefined)
      await writePage(options.html, options, { sources, workspace, replayer, other })
    close()
  },
})

interface PageParts {
  readonly sources: readonly PageSource[]
  readonly workspace: Workspace
  readonly replayer: Replayer
  readonly other: { readonly replayer: Replayer } | null
}

async function writePage(html: string, options: Options, parts: PageParts): Promise<void> {
  const { sources, workspace } = parts
  const config = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
  let redacted = 0
  const onSecret = () => {
    redacted += 1
  }
  const page = valueOrFail(
    await exportPage({
      sources,
      config,
      turns: options.turns ?? null,
      more: {},
      compare: await compareOf(options, workspace),
      redaction: options.redact === false ? null : { kinds: DEFAULT_KINDS, onSecret },
      text: options.text !== false,
      edit: options.edit !== false,
      draft: options.draft === true ? await draftOf(config, workspace) : null,
      tour: await tourOf(options, workspace),
      version: packageVersion(),
      shipped: HOME,
      replay: pageReplays(parts),
    }),
  )
  const { about, bytes } = page
  if (html === '-') await print(page.html)
  else await writeOutput(html, [page.html], { root: process.cwd() })
  if (options.json === true && html !== '-') {
    await print(`${jsonLine({ file: html, bytes, redacted, about })}\n`)
    return
  }
  for (const line of about) notice(line)
  notice(`${html}: ${(bytes / 1_000_000).toFixed(1)} MB, ${redacted} places redacted`)
  if (options.redact !== false) notice(redactionNote(DEFAULT_KINDS))
}

async function sourcesOf(paths: readonly string[], workspace: Workspace, withLabels: boolean) {
  const store = createLabelStore(workspace.root)
  const opened: Array<{ readonly file: OpenTranscript; readonly source: PageSource }> = []
  for (const path of paths) {
    const file = await readFile(path, workspaceFormats(workspace))
    const name = basename(path)
    const read = withLabels ? await store.read({ path: file.path, name, fixed: null }) : []
    const lines = read.flatMap((each) => each.lines.map(({ raw }) => raw))
    const labels = lines.length === 0 ? null : `${lines.join('\n')}\n`
    opened.push({ file, source: { transcript: file.transcript, chosen: null, labels, name } })
  }
  return {
    sources: opened.map(({ source }) => source),
    files: opened.map(({ file, source }) => ({ file, name: source.name })),
    close: () => {
      for (const { file } of opened) file.close()
    },
  }
}

type Options = Given<typeof OPTIONS>

async function compareOf(
  { compare }: Options,
  workspace: Workspace,
): Promise<PageRequest['compare']> {
  if (compare === undefined) return null
  return { name: compare, preset: valueOrFail(await loadPresetOrPath(workspace, compare)) }
}

/** [U136] */
async function tourOf({ tour }: Options, { roots }: Workspace): Promise<PageRequest['tour']> {
  return tour === undefined ? null : valueOrFail(await findTour(roots, tour))
}

/** [U123] The draft that a window left unsaved. */
async function draftOf(
  { domains }: ConfigFiles,
  workspace: Workspace,
): Promise<PageRequest['draft']> {
  const { text: draft } = await createDraftStore(workspace, () => 0).current(domains.file)
  if (draft === null) {
    notice(`there is no draft of ${domains.file.shown}`)
    return null
  }
  const saved = domains.text ?? ''
  return (path) => draftFile(PAGE_WORKSPACE, path, { saved, text: draft })
}

/** Replays for a page; without their texts, what both sides of the comparison found is recorded. */
function pageReplays({ replayer, other }: PageParts): PageRequest['replay'] {
  const recording = { limit: createTimeLimit(), signal: new AbortController().signal }
  return async (session) => {
    const replay = await replayer.replay(session)
    return {
      columns: replay.columns,
      withoutTexts: async () => {
        const others = other === null ? [] : [await other.replayer.replay(session)]
        return withoutTexts(session, [replay, ...others], recording)
      },
    }
  }
}

const FORMS = ExportForm.options
/** Files to write, `-` for standard output. */
type Targets = Readonly<Partial<Record<ExportForm | 'html', string | undefined>>>

interface FormRequest {
  readonly files: ReadonlyArray<{ readonly file: OpenTranscript; readonly name: string }>
  readonly turns: readonly [number, number] | null
  readonly redaction: RedactOptions | null
  readonly replayer: Replayer
  readonly preset: string
  readonly other: { readonly replayer: Replayer; readonly preset: string } | null
  /** Null if no JSON lines are written. */
  readonly parts: ReplayParts | null
  readonly profile: ModelProfile | null
}

/** [U129] One target or several; only one of them may be standard output. */
function refuseTargets(targets: Targets, request: Pick<FormRequest, 'turns' | 'other'>): void {
  // The caller passes all options of the command.
  const named = (['html', ...FORMS] as const).flatMap((form) => targets[form] ?? [])
  const wrong = (what: string, todo: string) =>
    new CommandError({ what, where: 'export', do: todo })
  if (named.length === 0)
    throw wrong('nothing says what to write', 'Add --html, --markdown, --jsonl, --otel or --csv')
  if (named.filter((target) => target === '-').length > 1)
    throw wrong('two outputs cannot share standard output', 'Name a file for one of them')
  if (targets.markdown !== undefined && request.turns === null && request.other === null)
    throw wrong(
      'Markdown is of some turns or of a comparison',
      'Add --turns 14 (or 14-16), or --compare with a preset',
    )
}

/** Writes the requested forms other than a page. */
async function writeForms(targets: Targets, request: FormRequest): Promise<void> {
  if (FORMS.every((form) => targets[form] === undefined)) return
  const played = await playAll(request, targets.jsonl !== undefined)
  for (const form of FORMS) {
    const target = targets[form]
    if (target === undefined) continue
    let redacted = 0
    const options = request.redaction && {
      ...request.redaction,
      onSecret: () => {
        redacted += 1
      },
    }
    const redact = (text: string) => (options === null ? text : redactText(text, options))
    const lines = FORM_TEXTS[form]({
      played,
      redact,
      turns: request.turns,
      version: packageVersion(),
      sides: [request.preset, request.other?.preset ?? null],
      trace: (replay, turn) => request.replayer.trace(replay, turn),
      parts: ({ path: from, session, replay }) => {
        if (request.parts === null) throw new Error('no parts were opened')
        return request.parts.open({ file: from, session, replay })
      },
    })
    if (target === '-') for await (const line of lines) await print(line)
    else {
      const bytes = await writeOutput(target, lines, { root: process.cwd() })
      notice(`${target}: ${bytes} bytes, ${redacted} places redacted`)
      if (options !== null) notice(redactionNote(options.kinds))
    }
  }
}

async function playAll(
  { files, replayer, other, profile }: FormRequest,
  withContext: boolean,
): Promise<readonly Played[]> {
  const played: Played[] = []
  for (const { file, name } of files) {
    for (const session of file.transcript.sessions) {
      const replay = await replayer.replay(session)
      const { columns } = replay
      const second = other === null ? null : await other.replayer.replay(session)
      const context = withContext ? await readContext(session, file.transcript, profile) : null
      played.push({
        file: basename(name),
        path: file.path,
        session,
        replay,
        columns,
        other: second,
        context,
      })
    }
  }
  return played
}
