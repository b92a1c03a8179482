const PATH = /^(?:~?\/|[A-Za-z]:[\\/]|\\\\)[^\n\r]{1,4000}$/u

/**
 * [I87] The path that a text is, without quotation marks, `file://` and the backslashes of a shell; null for
 * any other text. `~/` is the host's to know.
 */
export function pathIn(text: string): string | null {
  const bare = text.trim().replace(/^(["'])(.*)\1$/u, '$2')
  const address = /^file:\/\/(?:localhost)?(\/.*)$/u.exec(bare)?.[1]
  const path = address === undefined ? withoutShell(bare) : decoded(address)
  return PATH.test(path) ? path : null
}

/** As a terminal writes a path that is dragged into it. */
function withoutShell(path: string): string {
  return /^~?\//u.test(path) ? path.replaceAll(/\\([ '"()&[\]])/gu, '$1') : path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** [I87] [I97] The paths that a text is, one a line; none when any line is something else. */
export function pathsIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '')
  const paths = lines.slice(0, MOST_PASTED).map(pathIn)
  return paths.every((path) => path !== null) ? paths : []
}

/** More lines than that are no list of files. */
const MOST_PASTED = 100
