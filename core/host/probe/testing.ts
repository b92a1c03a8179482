import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { DEFAULT_SETTINGS } from '../../wire/shapes.ts'
import { makeFolder, REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import type { DeskWork, ProbeDesk } from './desk.ts'
import { probeText } from './lookups.ts'
import { openProbe } from './open.ts'

// For tests only: a real desk with the real sentence model over folders of its own.

export const SETTINGS: ProbeSettings = DEFAULT_SETTINGS.probe
export const QUIET: DeskWork = {
  signal: new AbortController().signal,
  report: () => undefined,
}

export interface TestDesk {
  readonly root: string
  readonly desk: ProbeDesk
  /** Writes a file below the workspace; its path. */
  readonly write: (path: string, text: string | Uint8Array) => string
  readonly index: (
    collection: string,
    paths?: readonly string[],
    rebuild?: boolean,
  ) => ReturnType<ProbeDesk['index']>
}

/** A desk over a new workspace with one collection `notes` of the given documents. */
export function makeDesk(
  documents: Readonly<Record<string, string>>,
  settings = SETTINGS,
): TestDesk {
  const files = Object.entries(documents).map(([name, text]) => [`notes/${name}`, text] as const)
  const root = makeFolder({ 'profiles/collections.yaml': FILE, ...Object.fromEntries(files) })
  const desk = openDesk(root)
  return {
    ...{ root, desk },
    write: (path, text) => {
      const whole = join(root, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, text)
      return whole
    },
    index: (collection, paths = [], rebuild = false) =>
      desk.index({ collection, paths, rebuild }, settings, QUIET),
  }
}

const FILE = `# Our own notes.
collections:
  - name: notes # kept by hand
    paths: [notes]
`

/** A desk over a workspace that is there, for example after another one was closed. */
export function openDesk(root: string): ProbeDesk {
  const stateDir = join(root, '.turnscope')
  return openProbe({ workspace: root, shipped: REPOSITORY, stateDir, env: process.env })
}

/** Probes a text with the recommended preset. */
export async function probeWith(desk: ProbeDesk, text: string, settings = SETTINGS) {
  const question = { text, preset: 'recommended', options: {}, embedder: null }
  return valueOf(await probeText(desk, settings, question, QUIET))
}

export const SEALS = '# Farne\n\nThe lighthouse keeper of Farne feeds grey seals every morning.\n'
export const BREAD = '# Bread\n\nThe sourdough needs eighteen hours in a cool larder.\n'
