/**
 * Paths that a message names, and glob patterns over them, as the published hooks find and read them
 * (K16). Pure text: nothing is looked for in a file system.
 */

/** A path found in a text; `at` is its place in UTF-16 units. */
export interface NamedPath {
  readonly path: string
  readonly at: number
}

const EDGE = /(?:^|\s|["'`])/.source
/** A name with one of the usual endings, a path below a usual folder, anything quoted with a slash. */
const FINDERS: readonly RegExp[] = [
  new RegExp(`${EDGE}([\\w\\-./]+\\.(?:[tj]sx?|json|gql|ya?ml|md|sh))\\b`, 'giu'),
  new RegExp(
    `${EDGE}((?:src|app|components|screens|hooks|utils|services|navigation|graphql|localization|\\.claude|\\.github|\\.maestro)/[\\w\\-./]+)`,
    'giu',
  ),
  /["'`]([\w\-./]+\/[\w\-./]+)["'`]/gu,
]

/** [K16] The paths that a text names, each once, in the order in which they are found. */
export function namedPaths(text: string): readonly NamedPath[] {
  const found = new Map<string, NamedPath>()
  for (const finder of FINDERS)
    for (const match of text.matchAll(finder)) {
      const [all, path = ''] = match
      const at = match.index + all.indexOf(path)
      if (path !== '' && !found.has(path)) found.set(path, { path, at })
    }
  return [...found.values()]
}

const SPECIAL = /[$()+.[\\\]^{|}]/g

/**
 * [K16] A glob as a regular expression over a list of paths, one a line: `*` within one folder, `**` over
 * folders, `?` one character, without regard to case.
 */
export function globRegex(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (piece) => {
    if (piece === '**/') return '(?:.*/)?'
    if (piece === '**') return '.*'
    if (piece === '*') return '[^/\\n]*'
    return piece === '?' ? '.' : piece.replaceAll(SPECIAL, '\\$&')
  })
  return new RegExp(`^${source}$`, 'im')
}
