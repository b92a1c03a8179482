import { Command } from 'commander'
import { createGuard } from '../host/guard.ts'
import { loadConfigOrPaths } from '../host/session/files.ts'
import { compilePipeline } from '../host/session/pipelines.ts'
import { openWorkspace } from '../host/workspace.ts'
import { evalBelief } from './eval-belief.ts'
import { HOME, withWorkspace } from './options.ts'
import { EXIT, notice, print, valueOrFail } from './output.ts'

interface BeliefArguments {
  readonly workspace: string
  readonly domains: string
  readonly preset: string
}

/** `eval PART`: parts of the engine as filters, JSON lines in, JSON lines out, in order. */
export function addEval(program: Command): void {
  const group = new Command('eval').description(
    'run a part of the engine as a filter: JSON lines from stdin to stdout, in order',
  )
  program.addCommand(group)
  const belief = group
    .command('belief')
    .description('{"session"?, "message", "profile"?} in; scores, primary, momentum, plan out')
    .requiredOption('--domains <file>', 'domain file (YAML or JSON), or its name in the workspace')
    .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
    .option('--json', 'accepted for uniformity: the answers are JSON lines anyway')
  withWorkspace(belief).action(runBelief)
}

async function runBelief({ workspace, domains, preset }: BeliefArguments): Promise<void> {
  const config = { preset, domains, profile: null, classify: null }
  const files = valueOrFail(await loadConfigOrPaths(openWorkspace(workspace, HOME), config))
  const { pipeline } = valueOrFail(compilePipeline(files))
  let size = 0
  const lines = linesOf(process.stdin, (chars) => {
    size = chars
  })
  const answers = evalBelief(lines, {
    domains: pipeline.belief.set,
    preset: files.preset.value,
    guard: createGuard(() => size),
  })
  let bad = 0
  for await (const answer of answers) {
    if (answer.startsWith('{"error"')) bad += 1
    await print(`${answer}\n`)
  }
  if (bad === 0) return
  notice(
    `stdin: ${bad} ${bad === 1 ? 'line' : 'lines'} could not be used, see "error" in the output`,
  )
  process.exitCode = EXIT.usage
}

/** Lines of a stream, split at `\n` only: U+2028 may stand in a JSON string, and readline splits there. */
async function* linesOf(
  stream: NodeJS.ReadStream,
  onLine: (chars: number) => void,
): AsyncGenerator<string, void, undefined> {
  stream.setEncoding('utf8')
  let rest = ''
  // With an encoding set, chunks are strings.
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      onLine(line.length)
      yield line
    }
  }
  onLine(rest.length)
  if (rest !== '') yield rest
}
