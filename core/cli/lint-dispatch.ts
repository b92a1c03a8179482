import { recommendedBundle } from '../engine/bundle/options.ts'
import { err } from '../engine/result.ts'
import type { Preset } from '../engine/schema/preset.ts'
import { buildRecord, filesFor } from '../host/session/bundle/build-step.ts'
import { lintDispatch } from '../host/session/bundle/lint.ts'
import { loadStepLibrary } from '../host/session/bundle/step-library.ts'
import type { SessionStep } from '../host/session/bundle/steps.ts'
import { loadTokenizers } from '../host/session/bundle/tokenizers.ts'
import type { Workspace } from '../host/files/workspace.ts'
import { readFile } from './bench.ts'
import { valueOrFail } from './output.ts'

/** A prompt that the dispatch guard objects to. */
interface StepFinding {
  readonly file: string
  readonly session: string
  readonly sourceLine: number
  readonly finding: ReturnType<typeof lintDispatch>[number]
}

/** Prompts of pipeline steps in sessions that were not made by the bundle factory. */
export async function lintSteps(
  files: readonly string[],
  workspace: Workspace,
  { preset, root: given }: { readonly preset: Preset; readonly root: string | null },
): Promise<readonly StepFinding[]> {
  if (files.length === 0) return []
  const library = valueOrFail(loadStepLibrary(workspace.roots))
  const tokenizers = await loadTokenizers()
  const build = (step: SessionStep) => {
    if (!step.record.ok) return err(step.record.error)
    const record = step.record.value
    const root = filesFor(record, workspace.roots, given)
    if (!root.ok) return root
    const { at } = step
    return buildRecord(record, {
      ...{ library, tokenizers, files: root.value, budgets: null, estimator: null },
      options: preset.bundle ?? recommendedBundle,
      ...{ now: at ?? 0, until: at },
    })
  }
  const found: StepFinding[] = []
  for (const file of files) {
    const { transcript } = await readFile(file)
    for (const session of transcript.sessions) {
      for (const finding of lintDispatch(session, build)) {
        const { line } = session.events[finding.seq]?.source ?? { line: 0 }
        found.push({ file, session: session.id, sourceLine: line, finding })
      }
    }
  }
  return found
}
