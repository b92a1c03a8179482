import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { packageVersion } from '../version.ts'
import { notice, writeText } from '../host/platform/terminal.ts'
import { commandsFor, withServe } from './commands.ts'
import { RpcError } from '../wire/rpc.ts'
import { CommandError, EXIT } from './kit/output.ts'

const EXAMPLES = `
Examples:
  turnscope session.jsonl
  turnscope replay session.jsonl
  turnscope replay *.jsonl --preset literal --json > traces.jsonl
  turnscope explain session.jsonl#14
  turnscope serve session.jsonl
  turnscope convert transcript.json -o session.jsonl --redact --report
  turnscope draw timeline session.jsonl --svg timeline.svg --compare literal
  turnscope draw sessions sessions/ --png sessions.png
  turnscope find 'kind:tool_result error:yes /time(d )?out/i' sessions/
  turnscope library scan sessions/
  turnscope compose "How does the cache decide what to drop?" --budget 3000
  turnscope bundle --step 3 --results results.json --ctx 8192 --report
  turnscope index notes docs/ notes/
  turnscope probe "What happened at Rogue's End after the Tower Faction arrived?"
  turnscope coach session.jsonl
  turnscope check --labels cases.jsonl --min-strict 0.9 --junit report.xml
  turnscope check sessions/ --sarif findings.sarif --base HEAD --max-flips 20
  turnscope diff --base recommended --head literal sessions/
  turnscope diff --base HEAD~1 --head draft session.jsonl
  turnscope lint --domains default
  turnscope lint sessions/ --labels labels/ --strict
  turnscope stats sessions/
  turnscope trust . --list
  turnscope index notes --workspace . --trust
  turnscope tour show st-003
  turnscope eval belief --domains domains.yaml < messages.jsonl
  turnscope eval signal < responses.jsonl

Exit codes: 0 ok, 1 findings, 2 usage or input error, or an answer that is not complete: check, lint
and diff where a pattern was cut off, replay where --max-output was reached, and what was left off because
the workspace is not trusted (stderr says what; add --trust for one run, or run turnscope trust).`

async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('turnscope')
    .description('Replays sessions of LLM agents and says why every turn was classified as it was.')
    .version(packageVersion())
    .showHelpAfterError('Try --help.')
    .addHelpText('after', EXAMPLES)
    .configureOutput({
      writeOut: (text) => void writeText('stdout', text),
      writeErr: (text) => void writeText('stderr', text),
      outputError: (text, write) => write(text.replace(/^error: /u, 'turnscope: ')),
    })
    .exitOverride()
  for (const each of await commandsFor(args)) each.addTo(program)
  return program
}

/** Runs a command line: output and notices go to the streams of this process, which gets the exit code. */
export async function runCommandLine(given: readonly string[]): Promise<void> {
  try {
    const args = withServe(given)
    const program = await createProgram(args)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

function exitCodeOf(error: unknown): number {
  // Commander has written its message already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (error instanceof CommandError) {
    notice(error.message)
    return EXIT.usage
  }
  // A rejection by the host is also an expected failure.
  if (error instanceof RpcError && error.where !== undefined) {
    notice(`${error.where}: ${error.what}. ${error.do ?? ''}`)
    return EXIT.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  notice(`a fault of Turnscope, please report it: ${text}`)
  return EXIT.usage
}
