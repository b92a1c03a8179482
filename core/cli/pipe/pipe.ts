import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { createWriteStream } from '../../host/platform/files/fenced-fs.ts'
import process from 'node:process'
import { counted, messageOf } from '../../engine/result.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { refuseOutwardLink } from '../../host/platform/files/outward-link.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { type BadLine, type LineAnswers, createLineAnswerer } from '../../host/rows/answer-lines.ts'
import { createTurnClassifier } from '../../host/rows/classify-turns.ts'
import { configHash } from '../../host/rows/config-hash.ts'
import { createLineFeed } from '../../host/rows/line-feed.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { compilePipeline } from '../../host/rules/pipelines.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { packageVersion } from '../../version.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { command } from '../kit/command.ts'
import { sayingRun } from '../kit/cut-offs.ts'
import { CONFIG, type Given, configOf, parseCount, parsed, text } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'

const OPTIONS = {
  ...CONFIG,
  errors: text('--errors <file>', 'write lines that cannot be used here, as JSON lines'),
  maxOpen: parsed(
    '--max-open <count>',
    'sessions whose state is kept; the one without a row for the longest time starts again',
    parseCount,
    100_000,
  ),
  prefix: text('--prefix <text>', 'stands before each name that is added to a row', ''),
}

/** [F110] `pipe`: the classifier as a filter that any engine can start, JSON lines in and out. */
export const pipe = command({
  name: 'pipe',
  summary: 'classify rows of many sessions: JSON lines from stdin to stdout',
  options: OPTIONS,
  help: `
In:  {"session", "turn", "message", "kind"?, …}, sorted by turn within a session; sessions may be mixed.
Out: the same without the message, and primary, secondary, confidence, secondary_confidence, signature,
     momentum, event, ambiguous, fired, cut_off, config and engine. docs/scale.md says more.`,
  run: runPipe,
})

async function runPipe(options: Given<typeof OPTIONS>): Promise<void> {
  const { maxOpen, prefix, errors } = options
  beginWithAutomata()
  const workspace = openWorkspace(options.workspace, HOME)
  const files = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
  const compiled = valueOrFail(compilePipeline(files))
  for (const warning of compiled.warnings) notice(warning)
  const cutOffs = await sayingRun(files)
  const classifier = createTurnClassifier(compiled, { limit: createTimeLimit(), cutOffs })
  const answerer = createLineAnswerer({
    classifier,
    classify: compiled.classify,
    maxOpen,
    prefix,
    config: configHash(files, compiled),
    engine: packageVersion(),
  })
  const bad = openBadLines(errors)
  const feed = createLineFeed()
  const answer = async ({ text: answers, bad: unusable }: LineAnswers): Promise<void> => {
    await bad.add(unusable)
    if (answers !== '') await print(answers)
    sayDropped(answerer.dropped(), maxOpen)
  }
  // Without an encoding set, chunks are buffers.
  for await (const chunk of process.stdin as AsyncIterable<Buffer>)
    await answer(answerer.answer(feed.push(chunk)))
  await answer(answerer.answer(feed.end()))
  await answer(answerer.end())
  classifier.end()
  if ((await bad.end()) > 0 || cutOffs.offIn(compiled.pipeline).size > 0)
    process.exitCode = EXIT.usage
}

let saidDropped = 0

/** [F112] Said when it first happens, and again each time that the number has doubled. */
function sayDropped(dropped: number, limit: number): void {
  if (dropped === 0 || dropped < 2 * saidDropped) return
  saidDropped = dropped
  notice(
    `evicted ${counted(dropped, 'session')}, because more than ${limit} were open: their later rows start again. If sessions last longer, set --max-open`,
  )
}

interface BadLines {
  readonly add: (bad: readonly BadLine[]) => Promise<void>
  /** Returns the number of bad lines. */
  readonly end: () => Promise<number>
}

/** Opens the destination of unusable lines: a file, or stderr. */
function openBadLines(path: string | undefined): BadLines {
  const file = path === undefined ? null : openForWriting(path)
  let count = 0
  return {
    add: async (bad) => {
      count += bad.length
      for (const { line, error } of bad)
        if (file === null) notice(`stdin:${line}: ${error}`)
        else if (!file.write(`${jsonLine({ line, error })}\n`)) await once(file, 'drain')
    },
    end: async () => {
      if (file !== null) {
        file.end()
        await once(file, 'finish')
      }
      if (count > 0) notice(`stdin: ${counted(count, 'line')} could not be used`)
      return count
    },
  }
}

function openForWriting(path: string): WriteStream {
  refuseOutwardLink(process.cwd(), path)
  try {
    return createWriteStream(path)
  } catch (error) {
    throw new CommandError({
      what: `it cannot be written (${messageOf(error)})`,
      where: path,
      do: 'Choose another place, or make room there.',
    })
  }
}
