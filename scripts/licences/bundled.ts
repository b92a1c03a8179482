import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** Folder of the lists, relative to the project. */
export const LISTS = 'dist/packages'

/** `…/node_modules/@scope/name/lib/x.js?query` → the folder of the package; null for our own files. */
export function packageFolder(id: string): string | null {
  const path = id.replace(/^\0/u, '').replace(/\?.*$/u, '').replaceAll('\\', '/')
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? null
}

/**
 * Writes the folders of all packages included in a bundle: modules with code left after unused code was removed, style
 * sheets, and files that they name (fonts). One file for each environment of the build, for scripts/licences/notice.ts.
 * @param root the folder of the project
 */
export function listPackages(root: string): Plugin {
  const folder = join(root, LISTS)
  return {
    name: 'list-packages',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk'
          ? Object.entries(output.modules).flatMap(([id, { renderedLength }]) =>
              renderedLength > 0 || id.endsWith('.css') ? [id] : [],
            )
          : output.originalFileNames.map((name) => join(this.environment.config.root, name)),
      )
      const folders = ids.flatMap((id) => packageFolder(id) ?? [])
      const found = new Set(folders.map((path) => relative(root, path).replaceAll('\\', '/')))
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `${this.environment.name}.json`)
      writeFileSync(file, `${JSON.stringify([...found].sort(), null, 2)}\n`)
    },
  }
}
