import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { transformSync } from 'rolldown/utils'
import { codeOf, hashSource } from '../../bin/source-code.cjs'

const require = createRequire(import.meta.url)

/** Strings, which stay, and comments. */
const CSS_TOKENS = /("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|\/\*[^]*?\*\//gu

/** SHA-256 in hex of the part of a file that the bundler uses. Comments, indentation and blank lines do not count. */
export function hashInput(path: string, bytes: Buffer): string {
  if (path.endsWith('.tsx')) return hashText(codeOf(withoutJsx(path, bytes.toString('utf8'))))
  if (path.endsWith('.css')) return hashText(plainStyle(bytes.toString('utf8')))
  return hashSource(path, bytes)
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** In JSX, text may look like a comment or an open string. The bundler's own parser knows. */
function withoutJsx(path: string, text: string): string {
  const { code, errors } = rolldown().transformSync(path, text)
  return errors.length === 0 ? code : text
}

/** The bundler that Vite brings along. Loaded only if a component changed. */
function rolldown(): { readonly transformSync: typeof transformSync } {
  return createRequire(require.resolve('vite'))('rolldown/utils') as never
}

function plainStyle(text: string): string {
  return text
    .replace(CSS_TOKENS, (_, string: string | undefined) => string ?? '')
    .replace(/\s*\n\s*/gu, '\n')
    .trim()
}
