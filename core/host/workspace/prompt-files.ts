import { hash } from 'node:crypto'
import { statSync } from '../platform/files/fenced-fs.ts'
import { resolve, sep } from 'node:path'
import { cannotRead, readTextSync } from '../platform/files/regular-file.ts'
import type { PromptFiles } from '../../engine/prompt/compose.ts'
import { SEGMENT_REGISTRY } from '../../engine/prompt/registry.ts'
import { type Result, err, ok } from '../../engine/result.ts'

/** No prompt is that long; a larger file was not meant. */
const MAX_BYTES = 1_000_000

/**
 * [P6] [P8] Files below `prompts/` of the first root that has them. Each is read once, on first use. A path that leads
 * out of the folder is not found.
 */
export function openPromptFiles(roots: readonly string[]): PromptFiles {
  const known = new Map<string, Result<string>>()
  return (path) => {
    const text = known.get(path) ?? readFirst(roots, path)
    known.set(path, text)
    return text
  }
}

function readFirst(roots: readonly string[], path: string): Result<string> {
  for (const root of roots) {
    const folder = resolve(root, 'prompts')
    const file = resolve(folder, path)
    if (!file.startsWith(folder + sep)) break
    try {
      const info = statSync(file, { throwIfNoEntry: false })
      if (info?.isDirectory() === false) return readOne(file, path, info.size)
    } catch (error) {
      return err(cannotRead(error, `prompts/${path}`))
    }
  }
  return err({
    what: `not found: ${path}`,
    where: `prompts/${path}`,
    do: 'Create the file in the workspace',
  })
}

function readOne(file: string, path: string, bytes: number): Result<string> {
  const where = `prompts/${path}`
  if (bytes > MAX_BYTES)
    return err({ what: `the file has ${bytes} bytes`, where, do: `At most ${MAX_BYTES} are read` })
  try {
    return ok(readTextSync(file, MAX_BYTES))
  } catch (error) {
    return err(cannotRead(error, where))
  }
}

/** The current files of the registry. */
export interface PromptSources {
  readonly files: PromptFiles
  /** Equal fingerprints: equal texts. */
  readonly fingerprint: string
}

/** Reads all segments of the registry. They are seven small files, so that an edit takes effect immediately. */
export function readPromptSources(roots: readonly string[]): PromptSources {
  const files = openPromptFiles(roots)
  const texts = SEGMENT_REGISTRY.map(({ file_path }) => {
    const text = files(file_path)
    return text.ok ? [text.value] : text.error.what
  })
  const fingerprint = hash('sha256', JSON.stringify(texts), 'base64url')
  return { files, fingerprint }
}
