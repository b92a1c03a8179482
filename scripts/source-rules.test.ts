import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './build.ts'

interface Rule {
  readonly title: string
  /** Folders or files that the rule is about. */
  readonly within: readonly string[]
  /** The files that may. */
  readonly except?: string | readonly string[]
  readonly banned: RegExp
  /** Code that the rule has to notice: a rule that cannot fail is none. */
  readonly example: string
}

const SHIPPED = ['addons', 'core', 'electron', 'renderer']

const RULES: readonly Rule[] = [
  {
    title: '[D60] only names that stand in the code are imported',
    within: SHIPPED,
    banned: /\bimport\((?!['"])|\brequire\.resolve\((?!['"])/,
    example: 'await import(join(workspace, name))',
  },
  {
    title: '[D60] a require of its own is made for LanceDB and the model runtime only',
    within: SHIPPED,
    except: ['addons/vector-stores/lancedb/package.ts', 'core/host/probe/embed/onnx-runtime.ts'],
    banned: /\bcreateRequire\b/,
    example: `const require = createRequire(join(folder, 'package.json'))`,
  },
  {
    title: 'no web preference is loosened',
    within: ['electron'],
    banned:
      /\b(?:nodeIntegration\w*|webviewTag|allowRunningInsecureContent|experimentalFeatures):(?! false\b)|\b(?:sandbox|contextIsolation|webSecurity):(?! true\b)|enableBlinkFeatures/,
    example: 'const preferences = { nodeIntegration: true }',
  },
  {
    title: 'ipcMain is used in ports.ts only; main.ts hands it over',
    within: SHIPPED,
    except: 'electron/ports.ts',
    banned: /\bipcMain\s*\.|\.ipc\s*\.(?:on|handle)/,
    example: `ipcMain.handle('x', () => 1)`,
  },
  {
    title: 'openExternal is called in external-links.ts only',
    within: SHIPPED,
    except: 'electron/external-links.ts',
    banned: /\.openExternal\s*\(|shell\s*\.\s*openPath/,
    example: `void shell.openExternal(url)`,
  },
  {
    title: 'ipcRenderer is used in preload.ts only',
    within: SHIPPED,
    except: 'electron/preload.ts',
    banned: /\bipcRenderer\b(?! itself)/,
    example: `import { ipcRenderer } from 'electron'`,
  },
  {
    title: 'nothing is loaded by a file URL',
    within: SHIPPED,
    banned: /['"`]file:|\.loadFile\s*\(/,
    example: 'window.loadURL(`file://${path}`)',
  },
  {
    title: 'electron is imported in electron/ only',
    within: ['addons', 'core', 'renderer', 'scripts', 'e2e', 'bench', 'bin'],
    banned: /(?:\bfrom|\bimport)\s*\(?\s*['"]electron(?:\/[^'"]*)?['"]/,
    example: `import { app } from 'electron'`,
  },
  {
    title: 'the page never turns text into HTML or code',
    within: ['renderer'],
    banned:
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\s*\(|new Function\b|setTimeout\s*\(\s*['"`]/,
    example: '<p dangerouslySetInnerHTML={{ __html: text }} />',
  },
  {
    // [U18] A token is exchanged with the host that served the page; the policy allows no other address.
    title: 'the page reaches no network of its own',
    within: ['renderer'],
    except: 'renderer/app/origin-key.ts',
    banned: /\bfetch\s*\(|XMLHttpRequest|sendBeacon|EventSource\b|['"`]https?:\/\//,
    example: `await fetch('/x')`,
  },
  {
    // [I60] What a workspace or an argument names may be a named pipe or a device.
    title: 'files are opened in regular-file.ts only, or are our own',
    within: ['core', 'addons'],
    except: [
      'core/host/files/regular-file.ts',
      'core/host/files/atomic-file.ts',
      'core/host/files/file-lock.ts',
      'core/host/files/text-store.ts',
      'core/host/main/loopback.ts',
      'core/host/main/uploads.ts',
      'core/host/probe/embed/fetch-file.ts',
      'core/host/probe/embed/onnx-runtime.ts',
      'core/host/probe/store/local/vector-files.ts',
      'core/cli/standard-input.ts',
      'core/serve.ts',
    ],
    banned:
      /import \{[^}]*\b(?:open|openSync|readFile|readFileSync|createReadStream)\b[^}]*\} from 'node:fs|^ {2}(?:open|openSync|readFile|readFileSync|createReadStream),$/,
    example: `import { readFile } from 'node:fs/promises'`,
  },
  {
    title: 'only terminal.ts writes to a terminal: it encodes what a stranger named',
    // bin/ runs on a Node that is too old for modules of ours; it names nothing but versions.
    within: SHIPPED,
    except: 'core/host/shared/terminal.ts',
    banned:
      /process\s*(?:\.\s*(?:stdout|stderr)|\[\s*stream\s*\])\s*\.\s*write|\bconsole\s*\.\s*[a-z]+\s*\(|\bwriteSync\s*\(\s*[12]\b/,
    example: 'process.stdout.write(session.title)',
  },
  {
    title: 'the command line prints JSON by jsonLine: other JSON holds escapes of a terminal',
    within: ['core/cli'],
    banned: /JSON\.stringify\s*\(/,
    example: 'await print(JSON.stringify(trace))',
  },
]

/** Source files below a folder, without tests: tests name what is banned. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:ts|tsx|mjs|html)$/.test(name) && !/\.test\.tsx?$/.test(name))
}

/** Code without comments, so that a comment may say what is forbidden. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

describe('source rules', () => {
  it.each(RULES)('$title', ({ within, except, banned, example }) => {
    expect(example).toMatch(banned)
    const may = [except ?? []].flat()
    const files = within.flatMap(sources).filter((name) => !may.includes(name))
    expect(files.length).toBeGreaterThan(0)
    const found = files.flatMap((name) =>
      codeOf(readFileSync(join(ROOT, name), 'utf8'))
        .split('\n')
        .filter((line) => banned.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    )
    expect(found).toEqual([])
  })

  it('the starter writes as the command line does', () => {
    const code = codeOf(readFileSync(join(ROOT, 'scripts/start.ts'), 'utf8'))
    expect(code).not.toMatch(/\.\s*write\s*\(|\bconsole\s*\./)
  })

  it('no folder has NAME.ts and NAME.tsx: the linter reads only the first of them', () => {
    const second = (names: readonly string[]) =>
      names.filter((name) => name.endsWith('.tsx') && names.includes(name.slice(0, -1)))
    expect(second(['renderer/a.ts', 'renderer/a.tsx', 'renderer/b.tsx'])).toEqual([
      'renderer/a.tsx',
    ])
    expect(second([...SHIPPED, 'e2e', 'scripts', 'fixtures', 'bench'].flatMap(sources))).toEqual([])
  })

  it('the page has no inline script and no inline style', () => {
    const html = readFileSync(join(ROOT, 'renderer/index.html'), 'utf8')
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i)
  })
})
