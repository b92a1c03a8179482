import { type Result, counted, formatProblem } from '../../engine/result.ts'
import { traceResponse } from '../../engine/answer-stage.ts'
import type { BuiltBundle } from '../../engine/bundle/build.ts'
import { SEGMENT_REGISTRY } from '../../engine/prompt/registry.ts'
import { renderTemplate } from '../../engine/prompt/template.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { LinkTo } from '../kit/links.ts'
import { initialSelfSignalState } from '../../engine/self-signal/state.ts'
import { type SessionStep, stepsOf } from '../../host/bundle/session/steps.ts'
import { readPromptSources } from '../../host/workspace/prompt-files.ts'

/** Lint rules for sessions and prompts: lessons that do not concern signals. */
export const LESSON_RULES = [
  ['template', 'A segment of the prompt is no template, or uses what is outside of the subset.'],
  ['undefined-variable', 'A prompt segment uses an undefined variable.'],
  [
    'self-signal',
    'A self-signal in a response is quoted, unfinished, one of several, or lost a field.',
  ],
  ['verdict', 'A verdict of a model contradicts its own reason, or two runs disagree.'],
  ['step-results', 'Results of a step lack a key metric, or hold what no metric names.'],
] as const
type LessonRule = (typeof LESSON_RULES)[number][0]

export interface Lesson {
  readonly rule: LessonRule
  readonly file: string
  readonly session: string | null
  /** Line of the record in the file, or null. */
  readonly line: number | null
  /** [F189] The place that the window opens; null if the lesson belongs to no event. */
  readonly at: LinkTo | null
  readonly text: string
}

/** A session of a file that is looked through. */
export interface LintedSession {
  readonly file: string
  /** Number of the session in the file, from 0. */
  readonly index: number
  readonly session: Session
}

/** The place of a lesson about an event of a session. */
export function lessonPlace({ file, index, session }: LintedSession, seq: number) {
  const line = session.events[seq]?.source.line ?? null
  return { file, session: session.id, line, at: { file, session: index, event: seq } }
}

/** Variables that a transcript can supply (the host's `variablesOf`). */
const KNOWN = { project_name: '', today: '' }

/** [L40] [L13] Variables of the prompts segments that no session can supply. */
export function lintSegments(roots: readonly string[]): readonly Lesson[] {
  const { files } = readPromptSources(roots)
  return SEGMENT_REGISTRY.flatMap(({ id, file_path: path }): Lesson[] => {
    const text = files(path)
    if (!text.ok) return []
    const place = {
      rule: 'undefined-variable',
      file: `prompts/${path}`,
      session: null,
      line: null,
      at: null,
    } as const
    const rendered = renderTemplate(text.value, KNOWN, path)
    if (!rendered.ok) return [{ ...place, rule: 'template', text: formatProblem(rendered.error) }]
    const { missing } = rendered.value.variables
    if (missing.length === 0) return []
    const names = missing.map((name) => `{{ ${name} }}`).join(', ')
    return [
      {
        ...place,
        text: `segment ${id} needs ${names}, which is not defined: it renders as empty text`,
      },
    ]
  })
}

/** [L40] [L14] Lessons from the self-signals in a session's responses, each at its record. */
export function lintSelfSignals(of: LintedSession, preset: Preset): readonly Lesson[] {
  const { session } = of
  let before = initialSelfSignalState
  return session.events.flatMap((event): Lesson[] => {
    if (event.kind !== 'agent') return []
    const response = {
      seq: event.seq,
      at: event.at,
      toolCallsBefore: 0,
      toolCallsAfter: 0,
      text: textOf(event, session.texts),
    }
    const trace = traceResponse(response, before, preset.selfSignal)
    before = trace.after
    return trace.diagnostics.map(({ code, message }) => ({
      ...lessonPlace(of, event.seq),
      rule: 'self-signal',
      text: `${code}: ${message}`,
    }))
  })
}

const OF_RESULTS: ReadonlySet<string> = new Set(['metrics_missing', 'results_unnamed'])

/** [L40] [L21] Key metrics that the results of a step lack, and results that no metric names. */
export function lintStepResults(
  of: LintedSession,
  build: (step: SessionStep) => Result<BuiltBundle>,
): readonly Lesson[] {
  return stepsOf(of.session).flatMap((step) => {
    const built = build(step)
    if (!built.ok) return []
    return built.value.bundle.diagnostics
      .filter(({ code }) => OF_RESULTS.has(code))
      .map(({ message, names }): Lesson => ({
        ...lessonPlace(of, step.seq),
        rule: 'step-results',
        text: `${message} (${counted(names.length, 'name')}: ${names.join(', ')})`,
      }))
  })
}
