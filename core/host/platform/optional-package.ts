import { existsSync } from './files/fenced-fs.ts'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * [F124] Folders whose `node_modules` may contain a package that is not part of Turnscope: the application's own, the
 * one that contains the application, and the global ones of this Node. As with LanceDB (D60), workspaces, the current
 * folder and folders above it are not searched, because their authors would decide which code runs.
 */
function foldersOf(from: string, node: string): readonly string[] {
  const application = applicationFolder(dirname(from))
  const around = dirname(application)
  const beside = basename(around) === 'node_modules' ? [dirname(around)] : []
  // npm puts global packages beside the binary on Windows, else in `lib` beside its folder.
  const bin = dirname(node)
  return [application, ...beside, join(dirname(bin), 'lib'), bin]
}

function applicationFolder(from: string): string {
  const above = dirname(from)
  return above === from || existsSync(join(from, 'package.json')) ? from : applicationFolder(above)
}

/**
 * Loads a package that the operator installed. Null if none of the folders has it. Throws if it exists but cannot be
 * loaded, for example because its native code is for another system.
 * @param from URL of the calling module, or of another file of the application
 */
export function loadOptional(
  name: string,
  from = import.meta.url,
  node = process.execPath,
): { readonly exports: unknown } | null {
  const paths = foldersOf(fileURLToPath(from), node).map((each) => join(each, 'node_modules', name))
  const path = paths.find((each) => existsSync(join(each, 'package.json')))
  return path === undefined ? null : { exports: createRequire(join(path, 'package.json'))(path) }
}
