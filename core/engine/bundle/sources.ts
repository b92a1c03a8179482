import { parseJson } from '../result.ts'
import type { BundleDiagnostic, ProvenanceRecord } from '../schema/bundle.ts'
import { fieldWords } from '../schema/issue-words.ts'
import { AgentManifest } from '../schema/step-data.ts'
import { diagnostic } from './diagnostics.ts'
import type { BundleFiles } from './ports.ts'

/** [A6] A larger manifest is hashed and not read. */
const MAX_MANIFEST = 1_048_576

export const NOT_FOUND = 'FILE_NOT_FOUND'
export const UNREADABLE = 'UNREADABLE'

export interface Sources {
  readonly manifest: AgentManifest | null
  readonly provenance: readonly ProvenanceRecord[]
  readonly diagnostics: readonly BundleDiagnostic[]
}

interface Named {
  readonly stepId: number
  readonly manifestPath: string | null
  readonly statePaths: readonly string[]
}

/**
 * [A6] Hashes the files that the caller names, in the order of manifest and state files. A problem with a file is
 * reported, and building continues.
 */
export function readSources(files: BundleFiles, named: Named): Sources {
  const provenance: ProvenanceRecord[] = []
  const diagnostics: BundleDiagnostic[] = []
  let manifest: AgentManifest | null = null
  if (named.manifestPath !== null) {
    const read = readManifest(files, named.manifestPath, named.stepId)
    manifest = read.manifest
    provenance.push(read.record)
    diagnostics.push(...read.diagnostics)
  }
  for (const path of named.statePaths) {
    const answer = files.digest(path, null)
    if (answer.kind === 'missing')
      diagnostics.push(diagnostic('state_missing', `${path} does not exist`, { path }))
    if (answer.kind === 'unreadable')
      diagnostics.push(
        diagnostic('state_unreadable', `${path} cannot be read: ${answer.reason}`, { path }),
      )
    provenance.push(recordOf(path, answer))
  }
  return { manifest, provenance, diagnostics }
}

/** [A6] A file that is not there has size 0, and a word instead of a hash. */
function recordOf(path: string, answer: ReturnType<BundleFiles['digest']>): ProvenanceRecord {
  if (answer.kind === 'ok') return { path, sha256: answer.sha256, size_bytes: answer.size }
  return { path, sha256: answer.kind === 'missing' ? NOT_FOUND : UNREADABLE, size_bytes: 0 }
}

interface ManifestRead {
  readonly manifest: AgentManifest | null
  readonly record: ProvenanceRecord
  readonly diagnostics: readonly BundleDiagnostic[]
}

function readManifest(files: BundleFiles, path: string, stepId: number): ManifestRead {
  const read = files.read(path, MAX_MANIFEST)
  if (read.kind === 'too_large') {
    const message = `${path} has ${read.size} bytes; a manifest is read up to ${MAX_MANIFEST}`
    return {
      manifest: null,
      record: recordOf(path, files.digest(path, null)),
      diagnostics: [diagnostic('manifest_unreadable', message, { path })],
    }
  }
  const record = recordOf(path, read)
  if (read.kind === 'missing') {
    const missing = diagnostic('manifest_missing', `${path} does not exist`, { path })
    return { manifest: null, record, diagnostics: [missing] }
  }
  if (read.kind === 'unreadable') {
    const message = `${path} cannot be read: ${read.reason}`
    const unreadable = diagnostic('manifest_unreadable', message, { path })
    return { manifest: null, record, diagnostics: [unreadable] }
  }
  return { record, ...parseManifest(read.text, path, stepId) }
}

function parseManifest(text: string, path: string, stepId: number): Omit<ManifestRead, 'record'> {
  const invalid = (why: string) => ({
    manifest: null,
    diagnostics: [diagnostic('manifest_invalid', `${path} is no manifest: ${why}`, { path })],
  })
  // A byte order mark is no part of JSON.
  const value = parseJson(text.replace(/^\uFEFF/u, ''))
  if (!value.ok) return invalid(value.error)
  const parsed = AgentManifest.safeParse(value.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return invalid(fieldWords(issue, 'the file'))
  }
  const own = parsed.data.pipeline_step
  const other =
    own === undefined || own === stepId
      ? []
      : [diagnostic('manifest_other_step', `${path} is of step ${own}, not ${stepId}`, { path })]
  return { manifest: parsed.data, diagnostics: other }
}
