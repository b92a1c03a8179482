import { basename } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { DEFAULT_KINDS } from '../engine/schema/redaction.ts'
import { loadConfigOrPaths } from '../host/files/config-files.ts'
import { createLabelStore } from '../host/files/label-store.ts'
import { writeOutput } from '../host/files/output-file.ts'
import { openWorkspace } from '../host/files/workspace.ts'
import { exportPage } from '../host/shared/page/export-page.ts'
import { jsonLine, notice } from '../host/shared/terminal.ts'
import { packageVersion } from '../serve.ts'
import { command } from './command.ts'
import { CONFIG, HOME, configOf, flag, parsed, required, text } from './options.ts'
import { print, valueOrFail } from './output.ts'
import { openReplayer, readFile } from './replayer.ts'

/** `export FILE --html OUT`: one HTML file that opens by itself, with the engine inside. */
export const exporting = command({
  name: 'export',
  summary: 'write a transcript and the workbench as one HTML file that opens without Turnscope',
  args: [['<file>', 'transcript of any known format']],
  options: {
    html: required(text('--html <file>', 'HTML file to write')),
    turns: parsed<readonly [number, number]>(
      '--turns <from-to>',
      'only these turns of the first session; momentum begins anew',
      parseTurns,
    ),
    compare: text('--compare <preset>', 'open with this preset on the other side'),
    labels: flag('--no-labels', 'leave out the labels of the file'),
    redact: flag('--no-redact', 'keep secrets, addresses and home paths as they are'),
    ...CONFIG,
  },
  run: async (options, file) => {
    const { html, turns = null, compare = null, redact, labels, ...config } = options
    const workspace = openWorkspace(config.workspace, HOME)
    const files = valueOrFail(await loadConfigOrPaths(workspace, configOf(config)))
    if (compare !== null) valueOrFail(await workspace.preset(compare))
    const replayer = await openReplayer(config)
    const opened = await readFile(file)
    let redacted = 0
    const redaction = {
      kinds: DEFAULT_KINDS,
      onSecret: () => {
        redacted += 1
      },
    }
    const home = { path: opened.path, name: basename(file), fixed: null }
    const labelled = await createLabelStore(workspace.root).read(home)
    const lines = labelled.flatMap((each) => each.lines.map(({ raw }) => raw))
    const page = valueOrFail(
      await exportPage({
        ...{ transcript: opened.transcript, chosen: null, turns, config: files, compare },
        redaction: redact === false ? null : redaction,
        labels: labels === false || lines.length === 0 ? null : `${lines.join('\n')}\n`,
        ...{ name: basename(file), version: packageVersion(), shipped: HOME },
        replay: async (session) => (await replayer.replay(session)).columns,
      }),
    )
    opened.close()
    await writeOutput(html, [page.html], { root: process.cwd() })
    const { about, bytes } = page
    if (config.json === true) {
      await print(`${jsonLine({ file: html, bytes, redacted, about })}\n`)
      return
    }
    for (const line of about) notice(line)
    notice(`${html}: ${(bytes / 1_000_000).toFixed(1)} MB, ${redacted} places redacted`)
  },
})

function parseTurns(value: string): readonly [number, number] {
  const [, from = '', to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/u.exec(value) ?? []
  if (from !== '' && Number(from) >= 1 && Number(to) >= Number(from))
    return [Number(from), Number(to)]
  throw new InvalidArgumentError('Give the first and the last turn, for example 10-60.')
}
