import { ownOf } from '../../../engine/schema/own.ts'
import { hash } from 'node:crypto'
import type { BundleFiles } from '../../../engine/bundle/ports.ts'

/** Files given with a step: path to text. No disk is read. */
export function openMemoryFiles(files: Readonly<Record<string, string>>): BundleFiles {
  const bytesOf = (path: string) =>
    Object.hasOwn(files, path) ? Buffer.from(ownOf(files, path) ?? '', 'utf8') : null
  return {
    read: (path, maxBytes) => {
      const bytes = bytesOf(path)
      if (bytes === null) return { kind: 'missing' }
      const size = bytes.length
      if (size > maxBytes) return { kind: 'too_large', size }
      return { kind: 'ok', sha256: hash('sha256', bytes), size, text: ownOf(files, path) ?? '' }
    },
    digest: (path, fromEnd) => {
      const bytes = bytesOf(path)
      if (bytes === null) return { kind: 'missing' }
      const start = fromEnd === null ? 0 : Math.max(0, bytes.length - fromEnd)
      return { kind: 'ok', sha256: hash('sha256', bytes.subarray(start)), size: bytes.length }
    },
    list: (folder) =>
      Object.keys(files).flatMap((path) => {
        const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''
        return name === '' || name.includes('/') ? [] : [name]
      }),
    newestLines: (path, maxBytes) => {
      const bytes = bytesOf(path)
      if (bytes === null) return { kind: 'missing' }
      const from = maxBytes === null ? 0 : Math.max(0, bytes.length - maxBytes)
      const lines = bytes.subarray(from).toString('utf8').split('\n')
      // The first may have begun before `from`.
      if (from > 0) lines.shift()
      return { kind: 'ok', size: bytes.length, partial: from > 0, lines: lines.toReversed() }
    },
  }
}
