import type { Command } from 'commander'
import { recommendedBundle } from '../engine/bundle/options.ts'
import { err } from '../engine/result.ts'
import { buildRecord, filesFor } from '../host/bundle/build-step.ts'
import { lintDispatch } from '../host/bundle/lint.ts'
import { loadStepLibrary } from '../host/bundle/step-library.ts'
import type { SessionStep } from '../host/bundle/steps.ts'
import { loadTokenizers } from '../host/bundle/tokenizers.ts'
import { loadPresetOrPath } from '../host/session/files.ts'
import { openWorkspace } from '../host/workspace.ts'
import { readFile } from './bench.ts'
import { HOME, withWorkspace } from './options.ts'
import { EXIT, notice, print, valueOrFail } from './output.ts'

interface LintArguments {
  readonly workspace: string
  readonly preset: string
  readonly root?: string
  readonly json?: boolean
}

/** `lint FILE…`: what is wrong with recorded sessions. One rule so far, the dispatch guard. */
export function addLint(program: Command): void {
  const command = program
    .command('lint')
    .description('find prompts of pipeline steps that were not made by the bundle factory')
    .argument('<file...>', 'transcripts, of any known format')
    .option('--root <dir>', 'folder where paths of the steps start (default: as recorded)')
    .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
    .option('--json', 'one finding a line as JSON')
  withWorkspace(command).action(runLint)
}

async function runLint(files: readonly string[], options: LintArguments): Promise<void> {
  const workspace = openWorkspace(options.workspace, HOME)
  const preset = valueOrFail(await loadPresetOrPath(workspace, options.preset)).value
  const library = valueOrFail(loadStepLibrary(workspace.roots))
  const tokenizers = await loadTokenizers()
  const build = (step: SessionStep) => {
    if (!step.record.ok) return err(step.record.error)
    const record = step.record.value
    const root = filesFor(record, workspace.roots, options.root ?? null)
    if (!root.ok) return root
    const { at } = step
    return buildRecord(record, {
      ...{ library, tokenizers, files: root.value, budgets: null, estimator: null },
      options: preset.bundle ?? recommendedBundle,
      ...{ now: at ?? 0, until: at },
    })
  }
  let found = 0
  for (const file of files) {
    const { transcript } = await readFile(file)
    for (const session of transcript.sessions) {
      for (const finding of lintDispatch(session, build)) {
        found += 1
        const { line } = session.events[finding.seq]?.source ?? { line: 0 }
        await print(
          options.json === true
            ? `${JSON.stringify({ file, session: session.id, sourceLine: line, ...finding })}\n`
            : `${file}:${line}: ${finding.rule}: ${finding.message}\n`,
        )
      }
    }
  }
  if (found === 0) return
  notice(`${found} ${found === 1 ? 'finding' : 'findings'}`)
  process.exitCode = EXIT.findings
}
