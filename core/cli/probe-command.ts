import type { Command } from 'commander'
import { probeText } from '../host/probe/retrieval.ts'
import { withWorkspace } from './options.ts'
import { EXIT, notice, print } from './output.ts'
import { probeOptions, watched, withProbe } from './probe-desk.ts'
import { probeReport } from './probe-report.ts'

interface ProbeArguments {
  readonly workspace: string
  readonly preset: string
  readonly embedder?: string
  readonly json?: boolean
  readonly explain?: boolean
}

/** [D49] `probe TEXT`: what the semantic probe finds for a message, and what the prompt receives. */
export function addProbe(program: Command): void {
  const command = program
    .command('probe')
    .description('probe a message against every collection: phrases, hits, persona, prompt')
    .argument('<text>', 'what a person would write')
    .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
    .option('--embedder <name>', 'embedder of the settings (default: the one in use)')
    .option('--explain', 'with the text of the chunks and what stayed below the threshold')
    .option('--json', 'one line of JSON instead of text')
  withWorkspace(command).action(runProbe)
}

async function runProbe(text: string, given: ProbeArguments): Promise<void> {
  const { workspace, embedder = null, json = false, explain = false } = given
  const options = await probeOptions(workspace, given.preset)
  const question = { text, options, embedder, preset: 'recommended' }
  const result = await withProbe(workspace, ({ service, settings }) =>
    watched((work) => probeText(service, settings, question, work)),
  )
  for (const error of result.errors) {
    notice(`${error.collection ?? 'embedder'}: ${error.what}. ${error.do}`)
  }
  await print(json ? `${JSON.stringify(result)}\n` : probeReport(result, explain))
  // Half an answer must not pass for a whole one in a script.
  if (result.errors.length > 0) process.exitCode = EXIT.usage
}
