import { counted } from '../../engine/result.ts'
import { sayingRun } from '../kit/cut-offs.ts'
import { loadConfigOrPaths, loadPresetOrPath } from '../../host/workspace/config-files.ts'
import { compilePipeline } from '../../host/rules/pipelines.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { notice } from '../../host/platform/terminal.ts'
import { command, group } from '../kit/command.ts'
import { evalBelief } from './eval-belief.ts'
import { EVAL_PARTS } from './eval-parts.ts'
import { linesOf, portionsOf } from './jsonl.ts'
import { HOME } from '../../place.ts'
import { type Given, PRESET, WORKSPACE, flag, text } from '../kit/options.ts'
import { EXIT, print, valueOrFail } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'
import { placeOf } from '../trust/trusted.ts'

const OPTIONS = {
  ...PRESET,
  json: flag('--json', 'has no effect: the answers are always JSON lines'),
  ...TRUST,
  ...WORKSPACE,
}

const BELIEF = {
  domains: text(
    '--domains <file>',
    'domain file (YAML or JSON), or its name in the workspace',
    'default',
  ),
  ...OPTIONS,
}

/** `eval PART`: parts of the engine as filters, JSON lines in, JSON lines out, in order. */
export const evaluate = group(
  'eval',
  'run a part of the engine as a filter: JSON lines from stdin to stdout, in order',
  [
    command({
      name: 'belief',
      summary: '{"session"?, "message", "profile"?} in; scores, primary, momentum, plan out',
      options: BELIEF,
      run: runBelief,
    }),
    ...EVAL_PARTS.map(({ name, summary, run }) =>
      command({ name, summary, options: OPTIONS, run: (options) => runPart(options, run) }),
    ),
  ],
)

async function runPart(
  given: Given<typeof OPTIONS>,
  run: (typeof EVAL_PARTS)[number]['run'],
): Promise<void> {
  const workspace = openWorkspace(given.workspace, HOME, placeOf(given))
  const preset = valueOrFail(await loadPresetOrPath(workspace, given.preset)).value
  let bad = 0
  const onBad = (): void => {
    bad += 1
  }
  const answers = run({ lines: linesOf(process.stdin), onBad }, { preset, workspace })
  for await (const answer of answers) await print(`${answer}\n`)
  sayBad(bad)
}

async function runBelief({ workspace, domains, preset }: Given<typeof BELIEF>): Promise<void> {
  const config = { preset, domains, profile: null, classify: null }
  beginWithAutomata()
  const files = valueOrFail(await loadConfigOrPaths(openWorkspace(workspace, HOME), config))
  const { pipeline } = valueOrFail(compilePipeline(files))
  const cutOffs = await sayingRun(files)
  const answers = evalBelief(portionsOf(process.stdin), {
    domains: pipeline.belief.set,
    preset: files.preset.value,
    cutOffs,
  })
  let bad = 0
  for await (const answer of answers) {
    if (answer.startsWith('{"error"')) bad += 1
    await print(`${answer}\n`)
  }
  sayBad(bad)
}

function sayBad(bad: number): void {
  if (bad === 0) return
  notice(`stdin: ${counted(bad, 'line')} could not be used, see "error" in the output`)
  process.exitCode = EXIT.usage
}
