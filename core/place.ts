import { fileURLToPath } from 'node:url'

/** This module. It is in `core/` in the sources, and in `dist/cli/` in the built command line. */
const here = import.meta.url
const isSource = here.endsWith('.ts')
const at = (source: string, built: string) => new URL(isSource ? source : built, here)

/** The folder that ships with Turnscope: `profiles/`, `prompts/`, `fixtures/`, `dist/`, package.json. */
export const HOME = fileURLToPath(at('../', '../../'))

/** [F100] Modules that the threads run: sources if the command line runs from sources, built files if it is built. */
export const THREADS = {
  session: at('./host/entries/session.ts', './session.cjs'),
  lab: at('./host/entries/lab.ts', './lab.cjs'),
  probe: at('./host/probe/main.ts', './probe.cjs'),
  hook: at('./host/hook/main.ts', './hook-host.cjs'),
  receiver: at('./host/receiver/main.ts', './otlp.cjs'),
  results: at('./host/results/main.ts', './results.cjs'),
  edit: at('./host/results/edit/thread.ts', './edit.cjs'),
  batch: at('./host/batch/worker.ts', './batch.cjs'),
  model: at('../scripts/model/main.ts', './build-model.cjs'),
} as const
