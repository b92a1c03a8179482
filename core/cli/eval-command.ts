import type { Command } from 'commander'
import { recommendedBundle } from '../engine/bundle/options.ts'
import type { Preset } from '../engine/schema/preset.ts'
import type { ProbeOptions } from '../engine/schema/probe.ts'
import { loadO200k } from '../engine/tokens-o200k.ts'
import { recommendedProbe } from '../engine/probe/options.ts'
import { loadStepLibrary } from '../host/session/bundle/step-library.ts'
import { loadTokenizers } from '../host/session/bundle/tokenizers.ts'
import { createGuard } from '../host/shared/guard.ts'
import { loadConfigOrPaths, loadPresetOrPath } from '../host/files/config-files.ts'
import { compilePipeline } from '../host/shared/pipelines.ts'
import { openPromptFiles } from '../host/files/prompt-files.ts'
import { openWorkspace, type Workspace } from '../host/files/workspace.ts'
import { openCoach } from '../host/session/coach/prompt-files.ts'
import { evalBelief } from './eval-belief.ts'
import { evalBundle } from './eval-bundle.ts'
import { evalCoach } from './eval-coach.ts'
import { evalCompose } from './eval-compose.ts'
import { evalProbe } from './eval-probe.ts'
import { evalQuery } from './eval-query.ts'
import { evalSignal } from './eval-signal.ts'
import { type LineSource, linesOf } from './jsonl.ts'
import { HOME, withWorkspace } from './options.ts'
import { EXIT, notice, print, valueOrFail } from './output.ts'
import { openProbeBench, watched } from './probe-desk.ts'

interface PartArguments {
  readonly workspace: string
  readonly preset: string
}

interface BeliefArguments extends PartArguments {
  readonly domains: string
}

type Filter = (
  source: LineSource,
  preset: Preset,
  workspace: Workspace,
) => AsyncIterable<string> | Promise<AsyncIterable<string>>

/** Parts that need a preset and nothing else: name, what goes in and comes out, and the filter. */
const PARTS: ReadonlyArray<readonly [name: string, description: string, filter: Filter]> = [
  [
    'signal',
    '{"response"} in; self-signal or null, stripped text, diagnostics out',
    (source, { selfSignal }) => evalSignal(source, selfSignal),
  ],
  [
    'query',
    '{"query", "context"?} in; type, confidence, keywords, needs, segment out',
    (source, { query }) => evalQuery(source, query),
  ],
  [
    'compose',
    '{"registry"?, "files"?, "budget"?, "query_type", "context"?, "extra_segments"?} in; prompt out',
    async (source, { prompt }, { roots }) =>
      evalCompose(source, {
        prompt,
        files: openPromptFiles(roots),
        estimators: prompt.estimator === 'o200k_base' ? { o200k_base: await loadO200k() } : {},
      }),
  ],
  [
    'bundle',
    '{"step_id", "results"?, "files"?, "budgets"?, "estimator"?, …} in; bundle, prompt, grammar out',
    async (source, { bundle }, { roots }) =>
      evalBundle(source, {
        library: valueOrFail(loadStepLibrary(roots)),
        tokenizers: await loadTokenizers(),
        options: bundle ?? recommendedBundle,
        clock: () => Date.now(),
      }),
  ],
  [
    'coach',
    '{"text", "plan"?, "skill"?, "raw_response"?} in; type, confidence, coaching, message out',
    async (source, _preset, { roots }) => evalCoach(source, valueOrFail(await openCoach(roots))),
  ],
  [
    'probe',
    '{"session"?, "message"} in; phrases, hits, collections, strength, persona out',
    (source, { probe }, { root }) => probeLines(source, probe ?? recommendedProbe, root),
  ],
]

/** Models and stores are open as long as lines come. */
async function* probeLines(
  source: LineSource,
  options: ProbeOptions,
  workspace: string,
): AsyncGenerator<string> {
  const bench = await openProbeBench(workspace)
  let failed = 0
  const onErrors = (): void => {
    failed += 1
  }
  try {
    const asked = await watched((work) =>
      bench.service.asked(bench.settings, null, { ...work, isProbed: options.enabled }),
    )
    const { signal } = new AbortController()
    yield* evalProbe(source, { options, onErrors, ports: asked.ports(signal) })
  } finally {
    await bench.service.close()
  }
  if (failed === 0) return
  notice(`${failed} of the messages could not be probed everywhere, see "errors" in the output`)
  process.exitCode = EXIT.usage
}

/** `eval PART`: parts of the engine as filters, JSON lines in, JSON lines out, in order. */
export function addEval(program: Command): void {
  // `program.command`, not `new Command`: it hands down how errors are said and how to exit.
  const group = program
    .command('eval')
    .description('run a part of the engine as a filter: JSON lines from stdin to stdout, in order')
  const belief = group
    .command('belief')
    .description('{"session"?, "message", "profile"?} in; scores, primary, momentum, plan out')
    .requiredOption('--domains <file>', 'domain file (YAML or JSON), or its name in the workspace')
  withPreset(belief).action(runBelief)
  for (const [name, description, filter] of PARTS) {
    withPreset(group.command(name).description(description)).action((given: PartArguments) =>
      runPart(given, filter),
    )
  }
}

function withPreset(command: Command): Command {
  return withWorkspace(
    command
      .option('--preset <name>', 'preset, or the path of a preset file', 'recommended')
      .option('--json', 'accepted for uniformity: the answers are JSON lines anyway'),
  )
}

async function runPart(given: PartArguments, filter: Filter): Promise<void> {
  const workspace = openWorkspace(given.workspace, HOME)
  const preset = valueOrFail(await loadPresetOrPath(workspace, given.preset)).value
  let bad = 0
  const source: LineSource = {
    lines: linesOf(process.stdin),
    onBad: () => {
      bad += 1
    },
  }
  for await (const answer of await filter(source, preset, workspace)) await print(`${answer}\n`)
  sayBad(bad)
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
  sayBad(bad)
}

function sayBad(bad: number): void {
  if (bad === 0) return
  notice(
    `stdin: ${bad} ${bad === 1 ? 'line' : 'lines'} could not be used, see "error" in the output`,
  )
  process.exitCode = EXIT.usage
}
