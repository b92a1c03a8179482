import { dirname } from 'node:path'
import {
  type TextPart,
  partsOfUserText,
  takeUnknown,
  typedAs,
} from '../../engine/import/shared/user-text.ts'
import { toWritten } from '../../engine/belief/written.ts'
import { initialBeliefState } from '../../engine/pipeline.ts'
import { type Problem, type Result, err, messageOf, ok, parseJson } from '../../engine/result.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { type ConfigFiles, loadConfigOrPaths } from '../workspace/config-files.ts'
import { withLock } from '../platform/files/file-lock.ts'
import { makePrivate } from '../platform/files/private-folder.ts'
import { type Workspace, openWorkspace } from '../workspace/workspace.ts'
import { type Classified, createTurnClassifier } from '../rows/classify-turns.ts'
import { configHash } from '../rows/config-hash.ts'
import { createCutOffRun } from '../platform/guard/cut-off-run.ts'
import { createTimeLimit } from '../platform/guard/guard.ts'
import { folderProblem } from '../platform/files/named-folder.ts'
import { type Compiled, createPipelines } from '../rules/pipelines.ts'
import { type HookAgent, type HookPrompt, HOOK_AGENT_NAMES, hookAgent } from './agents.ts'
import {
  type AnsweredPrompt,
  type HookMark,
  type LastPrompt,
  addToRecord,
  lastPrompt,
  recordedPrompts,
  recordPath,
} from './record.ts'

/** Workspace and configuration that decide about a prompt. */
interface HookPlace {
  /** Folder with `profiles/`, an absolute path. */
  readonly workspace: string
  readonly config: ReplayConfig
}

/** One call of a hook. */
export interface HookCall extends HookPlace {
  readonly agent: string
  /** Text received on standard input. */
  readonly input: string
  /** Folder that sessions are recorded in, an absolute path; null: nothing is recorded. */
  readonly record: string | null
  /** Epoch milliseconds. */
  readonly at: number
}

/** The answer of a hook. */
export interface HookAnswer {
  /** For standard output, as the agent expects it. */
  readonly out: string
  /** [F171] Problems; the prompt continues in spite of them. */
  readonly problems: readonly Problem[]
}

/** Answers calls of hooks, in any order; those of one session one after another. */
export interface HookAnswerer {
  readonly answer: (call: HookCall) => Promise<HookAnswer>
  /** Compiles a configuration in advance. The first call reports whether it is usable. */
  readonly prepare: (place: HookPlace) => Promise<void>
}

interface Around {
  /** The folder that ships. */
  readonly shipped: string
  readonly version: string
}

/** Maximum time that a prompt waits for another process that records the same session, in milliseconds. */
const PATIENCE_MS = 2000

/**
 * [F170] An answerer that caches compiled configurations by the contents of their files. A long-running one answers
 * without reading domains again, and gives the same answer.
 */
export function createHookAnswerer({ shipped, version }: Around): HookAnswerer {
  const pipelines = createPipelines()
  const workspaces = new Map<string, Workspace>()
  const limit = createTimeLimit()

  function workspaceOf(root: string): Workspace {
    const known = workspaces.get(root) ?? openWorkspace(root, shipped)
    workspaces.set(root, known)
    return known
  }

  async function compiledOf({ workspace, config }: HookPlace): Promise<Result<Ready>> {
    // [F165] A prompt is not answered by other rules than those that were chosen.
    const gone = folderProblem(workspace)
    if (gone !== null) return err(gone)
    const files = await loadConfigOrPaths(workspaceOf(workspace), config)
    if (!files.ok) return files
    const compiled = pipelines.get(files.value)
    if (!compiled.ok) return compiled
    return ok({ files: files.value, compiled: compiled.value })
  }

  async function answerPrompt(agent: HookAgent, prompt: HookPrompt, call: HookCall) {
    const { parts, typed, problems } = speakersOf(agent, prompt)
    const path = call.record === null ? null : recordPath(call.record, agent.name, prompt.session)
    const asked = { agent, prompt, call, path, parts, problems }
    const alone = async (work: () => Promise<HookAnswer>) => {
      if (path === null) return work()
      await makePrivate(dirname(path))
      // The state of a session goes from prompt to prompt through its record.
      return withLock(path, work, PATIENCE_MS)
    }
    if (typed === null) return alone(() => passOn(asked))
    const ready = await compiledOf(call)
    if (!ready.ok) return failed(agent, ready.error)
    return alone(() => decide({ ...asked, typed, version, limit, ...ready.value }))
  }

  async function answer(call: HookCall): Promise<HookAnswer> {
    const agent = hookAgent(call.agent)
    if (agent === undefined) return failed(null, unknownAgent(call.agent))
    const prompt = promptOf(agent, call.input)
    if (!prompt.ok) return failed(agent, prompt.error)
    try {
      return await answerPrompt(agent, prompt.value, call)
    } catch (error) {
      return failed(agent, {
        what: `the prompt could not be classified or recorded (${messageOf(error)})`,
        where: `hook of ${agent.label}`,
        do: 'See whether the folder of records can be written and read',
      })
    }
  }

  return {
    answer,
    prepare: async (place) => {
      await compiledOf(place).catch(() => undefined)
    },
  }
}

interface Ready {
  readonly files: ConfigFiles
  readonly compiled: Compiled
}

interface Asked {
  readonly agent: HookAgent
  readonly prompt: HookPrompt
  readonly call: HookCall
  /** Null when nothing is recorded. */
  readonly path: string | null
  readonly parts: readonly TextPart[]
  /** Problems of the prompt itself. */
  readonly problems: readonly Problem[]
}

/**
 * [F195] The parts of a prompt, by the rules of the importers (I6, I170, I172). `typed` is the user's text, or null
 * when a program wrote the whole prompt.
 */
function speakersOf(agent: HookAgent, { prompt }: HookPrompt) {
  takeUnknown()
  const found = partsOfUserText(prompt, typedAs('user'))
  const problems = takeUnknown().map((what) => ({
    what: `a prompt in the unknown wrapper ${what} counts as injected`,
    where: `standard input of the hook of ${agent.label}`,
    do: 'If the user typed it, report it as a bug of Turnscope',
  }))
  const parts = found.length > 0 ? found : [{ kind: 'user', text: prompt, rule: null } as const]
  const typed = parts.flatMap((part) => (part.kind === 'user' ? [part.text] : []))
  return { parts, typed: typed.length === 0 ? null : typed.join('\n'), problems }
}

/** [F195] Records a prompt that no user typed. It is not classified, injects nothing, and leaves the state as it is. */
async function passOn({ agent, prompt, call, path, parts, problems }: Asked): Promise<HookAnswer> {
  if (path !== null) {
    const { isNew } = await lastPrompt(path)
    const answered = { agent, prompt, parts, at: call.at, mark: null, written: {}, enrichment: '' }
    await addToRecord(path, isNew, answered)
  }
  return { out: agent.answer(''), problems }
}

interface Deciding extends Ready, Asked {
  readonly typed: string
  readonly version: string
  readonly limit: ReturnType<typeof createTimeLimit>
}

/**
 * [F173] Decides a prompt as the next turn of its record. The state is the one that the last prompt left under
 * the same configuration; after another one, all prompts before are decided again, so that the answer is always
 * that of a replay of the record.
 */
async function decide(deciding: Deciding): Promise<HookAnswer> {
  const { agent, prompt, typed, parts, call, path, compiled, version } = deciding
  const config = configHash(deciding.files, compiled)
  const last = path === null ? NO_RECORD : await lastPrompt(path)
  const isKnown = last.mark?.config === config && last.mark.engine === version
  const before = path === null || last.isNew || isKnown ? [] : await recordedPrompts(path)
  const start = (isKnown ? last.mark.state : null) ?? initialBeliefState
  const turn = classify(deciding, start, [...before, typed])
  const enrichment = turn?.outcome.enrichment ?? ''
  if (path !== null)
    await addToRecord(path, last.isNew, {
      agent,
      prompt,
      parts,
      at: call.at,
      enrichment,
      ...recordedOf(turn, compiled, { config, engine: version }),
    })
  return {
    out: agent.answer(enrichment),
    problems: [
      ...deciding.problems,
      ...compiled.warnings.map((what) => warningOf(what, compiled)),
      ...(turn === null ? [] : turnProblems(turn, compiled)),
    ],
  }
}

const NO_RECORD: LastPrompt = { isNew: true, mark: null }

/** The decision for the last of these prompts. Null if the preset does not classify user messages. */
function classify(
  { compiled, limit }: Deciding,
  state: Classified['before'],
  prompts: readonly string[],
): Classified | null {
  if (!compiled.classify.user) return null
  // A pattern that a prompt made hang is off for that prompt only: others must not depend on it.
  const classifier = createTurnClassifier(compiled, { limit, cutOffs: createCutOffRun() })
  const of = { state }
  return classifier.run(prompts.map((message) => ({ message, of }))).at(-1) ?? null
}

function recordedOf(
  turn: Classified | null,
  { pipeline }: Compiled,
  by: Pick<HookMark, 'config' | 'engine'>,
): Pick<AnsweredPrompt, 'mark' | 'written'> {
  if (turn === null) return { mark: { ...by, state: null, cut_off: [] }, written: {} }
  const { outcome, off, names } = turn
  return {
    mark: { ...by, state: outcome.state, cut_off: [...off].map((number) => names[number] ?? '') },
    written: toWritten(outcome, pipeline.belief.set.byName),
  }
}

/** Warnings about the configuration: a profile that is missing, or that gates nothing. */
function warningOf(what: string, { config }: Compiled): Problem {
  const where =
    config.profile === null ? `preset "${config.preset}"` : `profile "${config.profile}"`
  return {
    what,
    where,
    do: 'The prompt was classified without it; install the hook again to change it',
  }
}

/** [B10] If the document's code would raise, nothing is injected. A pattern that was cut off counts as not matched. */
function turnProblems(
  { outcome, off, names }: Classified,
  { config }: Compiled,
): readonly Problem[] {
  const missing = outcome.enrichmentError
  const unwritten = {
    what: `the text to inject needs a domain that is not configured (${missing?.key ?? ''})`,
    where: `preset "${config.preset}"`,
    do: 'Configure the domain, or use preset "recommended"',
  }
  const slow = [...off].map((number) => ({
    what: 'a signal took too long on this prompt and counts as not matched',
    where: names[number] ?? '',
    do: 'Mend its pattern: turnscope lint says which part is slow',
  }))
  return [...(missing === null ? [] : [unwritten]), ...slow]
}

function promptOf(agent: HookAgent, input: string): Result<HookPrompt> {
  const where = `standard input of the hook of ${agent.label}`
  const advice = `It has to be the JSON that ${agent.label} gives to hooks (${agent.source})`
  // Windows shells prefix piped text with a byte order mark.
  const value = parseJson(input.replace(/^\uFEFF/u, ''))
  if (!value.ok) return err({ what: 'this is no JSON', where, do: advice })
  const prompt = agent.read(value.value)
  return prompt.ok ? prompt : err({ what: prompt.error, where, do: advice })
}

function unknownAgent(name: string): Problem {
  const known = HOOK_AGENT_NAMES.join(', ')
  return { what: `there is no agent "${name}"`, where: '--agent', do: `Name one of ${known}` }
}

/** [F171] The agent is answered as if nothing were to be injected. */
function failed(agent: HookAgent | null, problem: Problem): HookAnswer {
  return { out: agent?.answer('') ?? '', problems: [problem] }
}
