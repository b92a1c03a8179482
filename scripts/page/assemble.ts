import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FONT = /url\(\.\/([\w-]+\.woff2)\)/gu

/**
 * The window as needed by an exported page: one script, and one style sheet with the fonts inside. The sources are
 * those of the application, so that both are the same program. Only the application has separate scripts for its parts.
 */
export function assemblePageApp(root: string): void {
  const assets = join(root, 'dist/page/window/assets')
  const only = (ending: string): string => {
    const found = readdirSync(assets).filter((name) => name.endsWith(ending))
    const [first, ...more] = found
    if (first === undefined || more.length > 0) {
      throw new Error(`the window has ${found.length} files *${ending}; a page holds one`)
    }
    return readFileSync(join(assets, first), 'utf8')
  }
  const folder = join(root, 'dist/page/app')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'app.js'), only('.js'))
  const style = only('.css').replace(FONT, (_, name: string) => {
    const bytes = readFileSync(join(assets, name)).toString('base64')
    return `url(data:font/woff2;base64,${bytes})`
  })
  if (/url\((?!data:)/u.test(style)) throw new Error('the style sheet of a page names a file')
  writeFileSync(join(folder, 'app.css'), style)
}
