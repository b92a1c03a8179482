import { existsSync } from '../host/platform/files/fenced-fs.ts'
import { Argument, type Command, Option } from 'commander'
import type { AnyCommand } from './kit/command.ts'

/** A command as listed by help. Its modules are loaded only when it is used. */
interface CommandEntry {
  readonly name: string
  /** Its arguments as help shows them: `[options] <file...>`; '' for a group of commands. */
  readonly takes: string
  readonly summary: string
  readonly load: () => Promise<AnyCommand>
}

/**
 * [F98] All commands, in the order of `--help`. Names, arguments and summaries equal those in the commands themselves
 * (F99).
 */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'replay',
    takes: '[options] <file...>',
    summary: 'classify every turn of transcripts: a table, or with --json one trace a line',
    load: async () => (await import('./replay/replay.ts')).replay,
  },
  {
    name: 'explain',
    takes: '[options] <file#turn>',
    summary: 'say why a turn was classified as it was: signals, momentum rule, enrichment',
    load: async () => (await import('./explain/explain.ts')).explain,
  },
  {
    name: 'context',
    takes: '[options] <file>',
    summary: 'list what was in the context of each model call: tokens, cache, window, sources',
    load: async () => (await import('./context/context.ts')).context,
  },
  {
    name: 'try',
    takes: '[options] <text>',
    summary: 'say what a text would be classified as, alone or at a place of a session',
    load: async () => (await import('./explain/try.ts')).trying,
  },
  {
    name: 'open',
    takes: '[options] <file...>',
    summary: 'open transcripts in the workbench (desktop application or serve mode)',
    load: async () => (await import('./serve/serve.ts')).open,
  },
  {
    name: 'serve',
    takes: '[options] [file...]',
    summary: 'serve the workbench on 127.0.0.1 and print its address',
    load: async () => (await import('./serve/serve.ts')).serve,
  },
  {
    name: 'compose',
    takes: '[options] <text>',
    summary: 'classify a text and compose its prompt: segments, tokens, warnings',
    load: async () => (await import('./prompt/compose.ts')).compose,
  },
  {
    name: 'bundle',
    takes: '[options]',
    summary: 'build the step awareness bundle of a step and print its prompt',
    load: async () => (await import('./bundle/bundle.ts')).bundle,
  },
  {
    name: 'check',
    takes: '[options] [file...]',
    summary: 'compare a configuration with labels: exit code 1 if a labelled turn is wrong',
    load: async () => (await import('./check/check.ts')).check,
  },
  {
    name: 'queue',
    takes: '[options] <file...>',
    summary: 'turns to label next: where the rules are likely to be wrong, and why',
    load: async () => (await import('./queue/queue.ts')).queue,
  },
  {
    name: 'propose',
    takes: '[options] [file...]',
    summary: 'signals that labels ask for, measured on sources that they were not made from',
    load: async () => (await import('./propose/propose.ts')).propose,
  },
  {
    name: 'weights',
    takes: '[options] [file...]',
    summary: 'what each signal should count, by labels, measured on sources it was not fitted on',
    load: async () => (await import('./propose/weights.ts')).weights,
  },
  {
    name: 'agreement',
    takes: '[options] <labels...>',
    summary: 'how far two readers agree: kappa, and what is to be settled',
    load: async () => (await import('./queue/agreement.ts')).agreement,
  },
  {
    name: 'diff',
    takes: '[options] <file...>',
    summary: 'list turns that two configurations decide differently: exit code 1 if there are any',
    load: async () => (await import('./compare/diff.ts')).diff,
  },
  {
    name: 'lint',
    takes: '[options] [file...]',
    summary: 'find signals, domains and gates that do not do what they should',
    load: async () => (await import('./lint/lint.ts')).lint,
  },
  {
    name: 'stats',
    takes: '[options] <file...>',
    summary: 'turns, coverage, domains, signals by hits, momentum, and what labels say',
    load: async () => (await import('./stats/stats.ts')).stats,
  },
  {
    name: 'convert',
    takes: '[options] <file...>',
    summary: 'write transcripts of any known format as native JSONL',
    load: async () => (await import('./mappings/convert.ts')).convert,
  },
  {
    name: 'export',
    takes: '[options] <file...>',
    summary:
      'write transcripts as one HTML file with the workbench inside, as Markdown, JSONL, OpenTelemetry or CSV',
    load: async () => (await import('./export/export.ts')).exporting,
  },
  {
    name: 'draw',
    takes: '',
    summary: 'draw a picture as SVG or PNG: the same one that the window shows',
    load: async () => (await import('./pictures/draw.ts')).draw,
  },
  {
    name: 'find',
    takes: '[options] <query> <path...>',
    summary: 'find events of transcripts, in files and folders',
    load: async () => (await import('./find/find.ts')).find,
  },
  {
    name: 'library',
    takes: '',
    summary: 'sessions of a folder, from a cached index',
    load: async () => (await import('./library/library.ts')).library,
  },
  {
    name: 'uploads',
    takes: '[options]',
    summary: 'files that the workspace keeps a copy of: list or remove them',
    load: async () => (await import('./library/uploads.ts')).uploads,
  },
  {
    name: 'index',
    takes: '[options] <collection> [path...]',
    summary: 'bring a collection of the semantic probe up to date with its documents',
    load: async () => (await import('./probe/probe.ts')).index,
  },
  {
    name: 'probe',
    takes: '[options] [text]',
    summary: 'probe a message against every collection: phrases, hits, persona, prompt',
    load: async () => (await import('./probe/probe.ts')).probe,
  },
  {
    name: 'coach',
    takes: '[options] <file...>',
    summary: 'judge every output of the agent: a table, or with --json one verdict a line',
    load: async () => (await import('./coach/coach.ts')).coach,
  },
  {
    name: 'eval',
    takes: '',
    summary: 'run a part of the engine as a filter: JSON lines from stdin to stdout, in order',
    load: async () => (await import('./eval/eval.ts')).evaluate,
  },
  {
    name: 'pipe',
    takes: '[options]',
    summary: 'classify rows of many sessions: JSON lines from stdin to stdout',
    load: async () => (await import('./pipe/pipe.ts')).pipe,
  },
  {
    name: 'batch',
    takes: '[options] <input...>',
    summary: 'classify all turns of Parquet, CSV, JSON lines or transcripts into Parquet files',
    load: async () => (await import('./batch/batch.ts')).batch,
  },
  {
    name: 'results',
    takes: '[options] <folder>',
    summary: 'say what a batch found: turns by domain, flips by pair and cause, or the rows',
    load: async () => (await import('./results/results.ts')).results,
  },
  {
    name: 'sql',
    takes: '[options] <query>',
    summary: 'ask the results of a batch in SQL',
    load: async () => (await import('./results/sql.ts')).sql,
  },
  {
    name: 'hook',
    takes: '',
    summary: 'classify prompts of a running coding agent, and inject what the rules say',
    load: async () => (await import('./hook/hook.ts')).hook,
  },
  {
    name: 'mcp',
    takes: '[options]',
    summary: 'serve sessions, explanations and edits to an agent over MCP, on stdin and stdout',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  {
    name: 'evaluate',
    takes: '[options] <file...>',
    summary: 'hold signals against labelled texts: by fold, domain and source, with intervals',
    load: async () => (await import('./evaluate/evaluate.ts')).evaluateLabels,
  },
  {
    name: 'tour',
    takes: '',
    summary: 'walks through a session: list, read, check',
    load: async () => (await import('./tours/tour.ts')).tour,
  },
  {
    name: 'trust',
    takes: '[options] [path]',
    summary: 'trust a workspace: allow the addresses, variables, drivers and git that it names now',
    load: async () => (await import('./trust/trust.ts')).trust,
  },
  {
    name: 'init',
    takes: '[options] [folder]',
    summary: 'copy the domains, presets and prompts that ship into a folder, to make them yours',
    load: async () => (await import('./workspace/init.ts')).init,
  },
  {
    name: 'schema',
    takes: '[options] [name]',
    summary:
      'print the JSON Schema of a file that you write: domains, presets, labels, formats, tours',
    load: async () => (await import('./schema/schema.ts')).schema,
  },
  {
    name: 'get',
    takes: '[options] <part>',
    summary: 'get a part that the npm package leaves out: model, for the semantic probe',
    load: async () => (await import('./get/get.ts')).get,
  },
]

/** A command for help lists only. It loads no module and cannot run. */
function outline({ name, takes, summary }: CommandEntry): Promise<AnyCommand> {
  return Promise.resolve({
    name,
    addTo: (parent: Command) => {
      const added = parent.command(name).description(summary)
      for (const word of takes.split(' ').filter((each) => each !== '')) {
        if (word === '[options]') added.addOption(new Option('--options'))
        else added.addArgument(new Argument(word))
      }
    },
  })
}

/**
 * [F126] `turnscope FILE…` serves the workbench with the files: a first word that is no command and no option, and that
 * is a file, a folder, or written like the path of one. Anything else is as it was.
 * @param args the command line behind `turnscope`
 */
export function withServe(args: readonly string[]): readonly string[] {
  const [first = ''] = args
  if (first === '' || first.startsWith('-') || COMMANDS.some(({ name }) => name === first)) {
    return args
  }
  return existsSync(first) || LIKE_A_PATH.test(first) ? ['serve', ...args] : args
}

/** With a folder or an ending: no command has either. */
const LIKE_A_PATH = /[/\\]|\.[a-z0-9]{2,8}$/iu

/**
 * [F98] Returns the commands that a command line needs: the one it begins with. [F99] If it begins with none, returns
 * all, so that help lists every command and a mistyped one gets its suggestion. These are outlines, except a command
 * named after `help` or an option.
 * @param args the command line after `turnscope`
 */
export function commandsFor(args: readonly string[]): Promise<readonly AnyCommand[]> {
  const entryOf = (word: string | undefined) => COMMANDS.find(({ name }) => name === word)
  const first = entryOf(args[0])
  const named = first?.name ?? args.find(entryOf)
  const wanted = first === undefined ? COMMANDS : [first]
  return Promise.all(wanted.map((each) => (each.name === named ? each.load() : outline(each))))
}
