import { ownOf } from '../../engine/schema/own.ts'
import { z } from 'zod'
import { recommendedBundle } from '../../engine/bundle/options.ts'
import type { Coach } from '../../engine/coach/cues.ts'
import { judgeOutput } from '../../engine/coach/output.ts'
import { ownWords } from '../../engine/own-words.ts'
import { contextOf } from '../../engine/coach/plan.ts'
import { recommendedProbe } from '../../engine/probe/options.ts'
import { type ProbeState, initialProbeState, probeMessage } from '../../engine/probe/run.ts'
import { type PromptFiles, composePrompt } from '../../engine/prompt/compose.ts'
import { exactContext } from '../../engine/prompt/template-context.ts'
import { SEGMENT_REGISTRY } from '../../engine/prompt/registry.ts'
import { classifyQuery } from '../../engine/query/classify.ts'
import { err, formatProblem, ok } from '../../engine/result.ts'
import { StepRecord } from '../../engine/schema/bundle.ts'
import type { ProbeResult } from '../../engine/schema/probe.ts'
import { type PromptOptions, PromptSegment } from '../../engine/schema/prompt.ts'
import { type QueryOptions, QueryType } from '../../engine/schema/query.ts'
import type { SelfSignalOptions } from '../../engine/schema/self-signal.ts'
import { readResponse } from '../../engine/self-signal/response.ts'
import { loadO200k } from '../../engine/tokens-o200k.ts'
import type { TokenEstimator } from '../../engine/tokens.ts'
import { openPromptFiles } from '../../host/workspace/prompt-files.ts'
import { buildRecord } from '../../host/bundle/session/build-step.ts'
import { openMemoryFiles } from '../../host/bundle/session/memory-files.ts'
import { loadStepLibrary } from '../../host/bundle/session/step-library.ts'
import { loadTokenizers } from '../../host/bundle/session/tokenizers.ts'
import { openCoach } from '../../host/coach/session/prompt-files.ts'
import { notice } from '../../host/platform/terminal.ts'
import { type Answer, type OnEnd, type Opening, part } from './jsonl.ts'
import { EXIT, valueOrFail } from '../kit/output.ts'
import { openProbeOf, watched } from '../probe/probe-service.ts'

export const SignalLine = z.object({ response: z.string().nullable() })

/** Integers beyond 2^53 - 1 are `{"$int"}`, infinite floats `{"$float"}`. */
export function answerSignal(options: SelfSignalOptions): Answer<z.infer<typeof SignalLine>> {
  return ({ response }) => {
    const { signal, stripped, diagnostics } = readResponse(response, options)
    if (signal === null) return { signal, stripped, diagnostics }
    const { type, confidence, fields, raw_xml } = signal
    return { signal: { type, confidence, fields, raw_xml }, stripped, diagnostics }
  }
}

export const QueryLine = z.object({ query: z.string().nullable(), context: z.string().nullish() })

export function answerQuery(options: QueryOptions): Answer<z.infer<typeof QueryLine>> {
  return ({ query, context }) => {
    const answer = classifyQuery(query, context ?? null, options)
    return {
      type: answer.type,
      confidence: answer.confidence,
      keywords: answer.keywords,
      needs_code: answer.needsCode,
      needs_vault: answer.needsVault,
      needs_web: answer.needsWeb,
      segment: answer.segment,
    }
  }
}

export const ComposeLine = z.object({
  /** `"seed"` or absent: the document's seven. */
  registry: z.union([z.literal('seed'), z.array(PromptSegment)]).nullish(),
  files: z.record(z.string(), z.string()).nullish(),
  budget: z.number().nullish(),
  query_type: QueryType,
  context: z.record(z.string(), z.unknown()).nullish(),
  extra_segments: z.array(z.string()).nullish(),
})

interface ComposeWith {
  readonly prompt: PromptOptions
  /** The workspace's prompts, for lines without `files`. */
  readonly files: PromptFiles
  /** Needed when the preset counts with a real tokenizer. */
  readonly estimators?: Readonly<Record<string, TokenEstimator>>
}

/** Files given with the line: path to text. */
function inMemoryFiles(files: Readonly<Record<string, string>>): PromptFiles {
  return (path) =>
    Object.hasOwn(files, path)
      ? ok(ownOf(files, path) ?? '')
      : err({ what: `not found: ${path}`, where: path, do: 'Give its text under "files".' })
}

export function answerCompose({
  prompt,
  files: prompts,
  estimators = {},
}: ComposeWith): Answer<z.infer<typeof ComposeLine>> {
  return ({ registry, files, budget, query_type: queryType, context, extra_segments: extra }) => {
    const composed = composePrompt({
      registry: registry === 'seed' || !registry ? SEGMENT_REGISTRY : registry,
      files: files ? inMemoryFiles(files) : prompts,
      options: { ...prompt, budget: budget ?? prompt.budget },
      queryType,
      context: context ?? {},
      extraSegments: extra ?? [],
      estimators,
    })
    if (!composed.ok) return { error: composed.error.what }
    const { segmentsIncluded, tokenEstimate, warnings, content } = composed.value
    return { segments_included: segmentsIncluded, token_estimate: tokenEstimate, warnings, content }
  }
}

const CoachLine = z.object({
  text: z.string(),
  plan: z.string().nullish(),
  skill: z.string().nullish(),
  /** The user message before it. */
  asked: z.string().nullish(),
  raw_response: z.string().nullish(),
})

/** `raw_response` is a model's recorded answer; nothing is sent anywhere. */
function answerCoach(coach: Coach): Answer<z.infer<typeof CoachLine>> {
  return ({ text, plan, skill, asked = null, raw_response: raw }) => {
    const answer = raw === null || raw === undefined ? null : { raw, source: 'recorded' as const }
    const { verdict, message } = judgeOutput(
      coach,
      { text: ownWords(text), asked },
      contextOf(plan, skill),
      answer,
    )
    const { type, confidence, reason, coaching_message, source, flags, acts } = verdict
    const rule = acts?.rule ?? null
    return { type, confidence, reason, coaching_message, message, source, flags, rule }
  }
}

/** Files are those of the line; no disk is read. */
async function answerBundle({ preset, workspace }: Opening): Promise<Answer<StepRecord>> {
  const built = {
    library: valueOrFail(loadStepLibrary(workspace.roots)),
    tokenizers: await loadTokenizers(),
    options: preset.bundle ?? recommendedBundle,
    files: openMemoryFiles({}),
    budgets: null,
    estimator: null,
    until: null,
  }
  return (record) => {
    const answer = buildRecord(record, { ...built, now: Date.now() })
    if (!answer.ok) return { error: formatProblem(answer.error) }
    const { bundle, prompt } = answer.value
    return { bundle, prompt, grammar_name: bundle.context.grammar_name }
  }
}

/** Lines with the same `session` share cache and persona; a line without one is probed alone. */
const ProbeLine = z.object({ session: z.string().nullish(), message: z.string() })

/** [D49] Models and stores are open as long as lines come. */
async function answerProbe(
  { preset, workspace }: Opening,
  onEnd: OnEnd,
): Promise<Answer<z.infer<typeof ProbeLine>>> {
  const options = preset.probe ?? recommendedProbe
  const { service, settings } = await openProbeOf({
    workspace: workspace.root,
    trust: workspace.trust.place.thisRun === 'all',
  })
  let failed = 0
  onEnd(async () => {
    await service.close()
    if (failed === 0) return
    notice(`${failed} of the messages could not be probed everywhere, see "errors" in the output`)
    process.exitCode = EXIT.usage
  })
  const asked = await watched((work) =>
    service.asked(settings, null, { ...work, isProbed: options.enabled }),
  )
  const ports = asked.ports(new AbortController().signal)
  const states = new Map<string, ProbeState>()
  return async ({ session, message }) => {
    const before = states.get(session ?? '') ?? initialProbeState
    const alone = session === null || session === undefined
    const probed = await probeMessage(message, alone ? initialProbeState : before, options, ports)
    if (!alone) states.set(session, probed.state)
    if (probed.result.errors.length > 0) failed += 1
    return probeShown(probed.result)
  }
}

/** The fields of the result. `errors` is present if a collection or the embedder failed (L28). */
function probeShown(result: ProbeResult): unknown {
  const { phrases_tested, primary_collection, supplemental_collections, strength } = result
  const { from_cache, skipped, probe_time_ms, errors } = result
  const hits = result.hits.map(
    ({ phrase, collection, chunk_text, similarity, filename, chunk_idx }) => ({
      phrase,
      collection,
      chunk_text,
      similarity,
      filename,
      chunk_idx,
    }),
  )
  return {
    phrases_tested,
    hits,
    primary_collection,
    supplemental_collections,
    strength,
    persona: result.persona.persona,
    from_cache,
    skipped,
    probe_time_ms,
    ...(errors.length === 0 ? {} : { errors }),
  }
}

/** Parts that need a preset and nothing else, in the order of `eval --help`. */
export const EVAL_PARTS = [
  part({
    name: 'signal',
    summary: '{"response"} in; self-signal or null, stripped text, diagnostics out',
    input: SignalLine,
    open: ({ preset }) => answerSignal(preset.selfSignal),
  }),
  part({
    name: 'query',
    summary: '{"query", "context"?} in; type, confidence, keywords, needs, segment out',
    input: QueryLine,
    open: ({ preset }) => answerQuery(preset.query),
  }),
  part({
    name: 'compose',
    summary:
      '{"registry"?, "files"?, "budget"?, "query_type", "context"?, "extra_segments"?} in; prompt out',
    input: ComposeLine,
    exact: (input, line) => ({ ...input, context: exactContext(line, 'context') ?? input.context }),
    open: async ({ preset: { prompt }, workspace }) =>
      answerCompose({
        prompt,
        files: openPromptFiles(workspace.roots),
        estimators: prompt.estimator === 'o200k_base' ? { o200k_base: await loadO200k() } : {},
      }),
  }),
  part({
    name: 'bundle',
    summary:
      '{"step_id", "results"?, "files"?, "budgets"?, "estimator"?, …} in; bundle, prompt, grammar out',
    input: StepRecord,
    open: answerBundle,
  }),
  part({
    name: 'coach',
    summary:
      '{"text", "asked"?, "plan"?, "skill"?, "raw_response"?} in; type, confidence, coaching, message out',
    input: CoachLine,
    open: async ({ workspace }) => answerCoach(valueOrFail(await openCoach(workspace.roots))),
  }),
  part({
    name: 'probe',
    summary: '{"session"?, "message"} in; phrases, hits, collections, strength, persona out',
    input: ProbeLine,
    open: answerProbe,
  }),
]
