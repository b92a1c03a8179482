import { stat } from '../../host/platform/files/fenced-fs.ts'
import { basename, join, resolve } from 'node:path'
import { drawSessions } from '../../engine/draw/sessions.ts'
import { counted } from '../../engine/result.ts'
import { type Picture, PictureKind, PictureTheme } from '../../engine/schema/picture.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { drawnFiles } from '../../host/pictures/drawn-files.ts'
import { writeOutput } from '../../host/platform/files/output-file.ts'
import { valueOrRefuse } from '../../host/platform/threads/refusal.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { isTranscript } from '../../host/transcripts/read-transcript.ts'
import { walkFolder } from '../../host/platform/files/walk.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { aboutOf, decidedBy } from '../../host/pictures/session/picture-parts.ts'
import { createPictures } from '../../host/pictures/session/pictures.ts'
import { createSessionService } from '../../host/sessions/session/service.ts'
import { stripsOfFile } from '../../host/pictures/session/strips.ts'
import { createSides } from '../../host/drafts/sides.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { createPipelines } from '../../host/rules/pipelines.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { type AnyCommand, command, group } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { CONFIG, type Given, configOf, oneOf, parsed, parseTurns, text } from '../kit/options.ts'
import { CommandError, createMeter, print } from '../kit/output.ts'
import { noticeProblems } from '../replay/replayer.ts'
import { spoolStandardInput, STANDARD_INPUT } from '../kit/standard-input.ts'

const OPTIONS = {
  svg: text('--svg <file>', 'SVG file to write'),
  png: text('--png <file>', 'PNG file to write, twice the size'),
  compare: text('--compare <preset>', 'mark what this preset decides differently'),
  turns: parsed<readonly [number, number]>(
    '--turns <from-to>',
    'only these turns; momentum is that of the whole session',
    parseTurns,
  ),
  theme: oneOf('--theme <theme>', 'paper of the picture (default: light)', PictureTheme.options),
  ...CONFIG,
}
type Options = Given<typeof OPTIONS>

/** The input of each picture, and its content. */
const KINDS: Readonly<Record<PictureKind, readonly [file: string, summary: string]>> = {
  timeline: ['transcript', 'a session turn by turn: what was held, momentum, flips'],
  transitions: ['transcript', 'what each text alone said against what was held under momentum'],
  budget: ['transcript', 'tokens of every prompt against what there was room for'],
  sessions: ['transcript, or a folder of them', 'small multiples of sessions with their flips'],
}

/** [F90] `draw KIND FILE --svg OUT`: a picture of a session, a file or a folder. */
export const draw: AnyCommand = group(
  'draw',
  'draw a picture as SVG or PNG: the same one that the window shows',
  PictureKind.options.map((kind) =>
    command({
      name: kind,
      summary: KINDS[kind][1],
      args: [['<file>', KINDS[kind][0]]],
      options: OPTIONS,
      run: (options, file) => runDraw(kind, options, file),
    }),
  ),
)

async function runDraw(kind: PictureKind, options: Options, file: string): Promise<void> {
  const { svg, png, json } = options
  if (svg === undefined && png === undefined)
    throw new CommandError({
      what: 'nothing says where the picture goes',
      where: `draw ${kind}`,
      do: 'Name a file with --svg, --png or both',
    })
  refuseSenseless(kind, options)
  const info = await stat(file).catch(() => null)
  const isFolder = kind === 'sessions' && info?.isDirectory() === true
  const picture = isFolder ? await drawFolder(options, file) : await drawFile(kind, options, file)
  const root = process.cwd()
  if (svg !== undefined) await writeOutput(svg, [picture.svg], { root })
  if (png !== undefined) await writePng(png, picture)
  const told = { files: [svg, png].filter(Boolean), ...picture, svg: undefined }
  if (json === true) await print(`${jsonLine(told)}\n`)
  else await print(`${picture.told}\n`)
}

/** Rejects options that would have no effect. */
function refuseSenseless(kind: PictureKind, { compare, turns }: Options): void {
  const refuse = (what: string) => {
    const advice = 'Leave the option out'
    throw new CommandError({ what, where: `draw ${kind}`, do: advice })
  }
  if (kind === 'budget' && compare !== undefined) refuse('a budget is of one preset: no --compare')
  const isWhole = kind === 'budget' || kind === 'sessions'
  if (isWhole && turns !== undefined) refuse('this picture is of whole sessions: no --turns')
}

async function writePng(path: string, { svg }: Picture): Promise<void> {
  // The renderer is 2.5 MB, so it is loaded only for PNG output.
  const { pngOf } = await import('./png.ts')
  const { bytes, unknown } = await pngOf(svg)
  if (unknown > 0)
    notice(
      `${path}: the bundled font does not know ${counted(unknown, 'character')}; each is a "?"`,
    )
  await writeOutput(path, [bytes], { root: process.cwd() })
}

function openService(options: Options) {
  beginWithAutomata()
  const workspace = openWorkspace(options.workspace, HOME)
  const limit = createTimeLimit()
  // Here names may be paths.
  const sides = createSides(workspace, loadConfigOrPaths)
  const service = createSessionService(workspace, createPipelines(), limit, sides)
  const config = configOf(options)
  const other = options.compare === undefined ? null : { ...config, preset: options.compare }
  return { workspace, limit, service, config, other, signal: new AbortController().signal }
}

const KEY = 'file'

async function drawFile(kind: PictureKind, options: Options, file: string): Promise<Picture> {
  const { workspace, limit, service, config, other, signal } = openService(options)
  const isInput = file === STANDARD_INPUT
  const path = resolve(isInput ? await spoolStandardInput() : file)
  const name = isInput ? 'standard input' : basename(path)
  const reading = service.open(KEY, { path, name, shown: null, fixed: null, map: null }, signal)
  let step = await reading.next()
  while (step.done !== true) step = await reading.next()
  noticeProblems(file, service.opened(KEY).transcript)
  try {
    return await createPictures(service, workspace, limit).draw(
      {
        key: KEY,
        session: 0,
        kind,
        config,
        compare: other,
        turns: options.turns ?? null,
        theme: options.theme ?? 'light',
      },
      { signal },
    )
  } finally {
    service.close(KEY)
  }
}

/** The same as the library's, one file after the other. */
async function drawFolder(options: Options, folder: string): Promise<Picture> {
  const { workspace, limit, service, config, other, signal } = openService(options)
  const formats = workspaceFormats(workspace)
  const own = valueOrRefuse(await formats())
  const sideOf = async (each: ReplayConfig) => decidedBy(await service.files(each))
  const compiled = await service.compiled(config)
  const under = {
    compiled,
    other: other && (await service.compiled(other)),
    limit,
    signal,
    formats,
  }
  const { files, left } = drawnFiles((await walkFolder(folder, signal)).files)
  const meter = createMeter()
  const strips = []
  let unread = 0
  for (const [index, { path }] of files.entries()) {
    meter.show(`${folder} ${index + 1} of ${files.length}`)
    const at = join(folder, path)
    if (!(await isTranscript(at, signal, own))) continue
    const read = await stripsOfFile({ path: at, name: basename(path) }, under)
    if (read === null) unread += 1
    strips.push(...(read ?? []))
  }
  meter.clear()
  const about = aboutOf({
    title: basename(resolve(folder)),
    theme: options.theme ?? 'light',
    side: await sideOf(config),
    against: other && (await sideOf(other)),
  })
  return drawSessions({ ...about, strips, unread, left })
}
