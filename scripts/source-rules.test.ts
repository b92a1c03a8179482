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
  /** Code that must break the rule, to prove that the rule can fail. */
  readonly example: string
}

const SHIPPED = ['addons', 'core', 'electron', 'renderer']

const RULES: readonly Rule[] = [
  {
    title: 'end-to-end tests wait for conditions, never for a time',
    within: ['e2e'],
    // Polling of processes that Playwright does not know, and two checks that nothing comes.
    except: [
      'e2e/electron-double/checks.ts',
      'e2e/electron-double/launch.ts',
      'e2e/helpers/other-browsers.ts',
    ],
    banned: /\bwaitForTimeout\b|\bsetTimeout\(|timers\/promises/,
    example: 'await page.waitForTimeout(500)',
  },
  {
    title: 'end-to-end tests have one time limit, in playwright.config.ts',
    within: ['e2e'],
    except: 'e2e/electron-double/control.ts',
    banned: /\btimeout: \d|\btest\.slow\b|\.setTimeout\(/,
    example: 'await expect(row).toBeVisible({ timeout: 5000 })',
  },
  {
    title: '[D60] only names that stand in the code are imported',
    within: SHIPPED,
    banned: /\bimport\((?!['"])|\brequire\.resolve\((?!['"])/,
    example: 'await import(join(workspace, name))',
  },
  {
    title: '[D60] a require of its own is made for LanceDB, DuckDB and the model runtime only',
    within: SHIPPED,
    except: [
      'addons/vector-stores/lancedb/package.ts',
      'core/host/platform/optional-package.ts',
      'core/host/probe/embed/onnx-runtime.ts',
    ],
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
    // [V35] The only ways out of the process, each of which takes a permit, or says why it needs none.
    title:
      '[V35] the network is reached in guarded-fetch.ts, by drivers, and for a model that a person fetches',
    within: ['core', 'addons'],
    except: [
      // Takes a permit.
      'core/host/platform/net/guarded-fetch.ts',
      // Addresses of the program itself, after a click: no workspace names them.
      'core/host/probe/embed/fetch-file.ts',
      // Listens on 127.0.0.1 and connects to no host.
      'core/host/windows/main/loopback.ts',
      'core/host/receiver/body.ts',
      'core/host/receiver/guard.ts',
      'core/host/receiver/receiver.ts',
      // A local socket of this account (F174), no network.
      'core/host/hook/ask.ts',
      'core/host/hook/left-folders.ts',
      'core/host/hook/resident.ts',
      // Drivers: loaded by drivers.ts, which asks the gate first.
      'addons/vector-stores/pgvector/driver.ts',
      'addons/vector-stores/qdrant/driver.ts',
    ],
    banned:
      /(?<![.\w])fetch\s*\((?!\)|\w+:)|from '(?:node:)?(?:https?|http2|net|tls|dgram|dns(?:\/promises)?|ws|undici)'|import\('(?:pg|@qdrant[^']*)'\)|new WebSocket\b/,
    example: `const answer = await fetch(collection.store.url)`,
  },
  {
    title: '[V35] the libraries of the coach are loaded where each call has a permit',
    within: SHIPPED,
    except: 'core/host/coach/main/model-client.ts',
    banned: /import\('(?:ai|@ai-sdk\/[^']*)'\)/,
    example: `const { generateText } = await import('ai')`,
  },
  {
    title:
      '[V35] [V37] programs are started by git-program.ts with a permit, and by the program for itself',
    within: SHIPPED,
    except: [
      'core/host/platform/git/git-program.ts',
      // The command that the user installed for the agent, and the user's browser.
      'core/host/hook/probe.ts',
      'core/host/platform/open-browser.ts',
      // Our own script for the shipped model, and our own starter.
      'core/host/probe/embed/shipped-model.ts',
      'core/cli/serve/serve.ts',
      // The application that was just updated.
      'electron/updates/whole-app-image.ts',
      // Runs npm for two packages named in the code, after the user agreed.
      'core/cli/get/get-model.ts',
    ],
    banned: /from 'node:child_process'|process\.binding/,
    example: `import { execFile } from 'node:child_process'`,
  },
  {
    title: '[V35] drivers are loaded in drivers.ts only, which asks the gate first',
    within: SHIPPED,
    except: 'core/host/probe/store/drivers.ts',
    banned: /import\('[^']*addons\//,
    example: `await import('../../addons/vector-stores/qdrant/driver.ts')`,
  },
  {
    title: '[V35] a variable whose name is no word of ours is read by the gate only',
    within: ['core/host', 'core/cli', 'addons'],
    except: 'core/host/platform/trust/gate.ts',
    banned: /\benv\[(?!'(?:[A-Z_]+|npm_execpath)'\]|(?:ALLOW_ENV|PACKAGE_ENV)\])/,
    example: `const connectionString = env[urlEnv]`,
  },
  {
    title: '[V35] a permit is made by the gate only',
    within: SHIPPED,
    except: 'core/host/platform/trust/gate.ts',
    banned: /\bas (?:unknown as )?Permit\b/,
    example: `const permit = { item } as Permit`,
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
    // [U157] An image sees no font of its page: the page's own one is read, and put into the picture.
    title: 'the page reaches no network of its own',
    within: ['renderer'],
    except: ['renderer/app/origin-key.ts', 'renderer/features/pictures/raster.ts'],
    banned: /\bfetch\s*\(|XMLHttpRequest|sendBeacon|EventSource\b|['"`]https?:\/\//,
    example: `await fetch('/x')`,
  },
  {
    // [I60] A path from a workspace or an argument may be a named pipe or a device.
    title: 'files are opened in regular-file.ts only, or are our own',
    within: ['core', 'addons'],
    except: [
      'core/host/platform/files/fence.ts',
      'core/host/platform/files/regular-file.ts',
      'core/host/platform/files/atomic-file.ts',
      'core/host/platform/files/file-lock.ts',
      'core/host/transcripts/text-store.ts',
      'core/host/windows/main/loopback.ts',
      'core/host/uploads/main/upload-spool.ts',
      'core/host/probe/embed/fetch-file.ts',
      'core/host/probe/embed/onnx-runtime.ts',
      'core/host/probe/store/local/vector-files.ts',
      'core/cli/kit/standard-input.ts',
      'core/version.ts',
    ],
    banned:
      /import \{[^}]*\b(?:open|openSync|readFile|readFileSync|createReadStream)\b[^}]*\} from 'node:fs|^ {2}(?:open|openSync|readFile|readFileSync|createReadStream),$/,
    example: `import { readFile } from 'node:fs/promises'`,
  },
  {
    title: 'only terminal.ts writes to a terminal: it encodes what a stranger named',
    // bin/ runs on a Node that is too old for modules of ours; it names nothing but versions.
    within: SHIPPED,
    except: [
      'core/host/platform/terminal.ts',
      // Hands on JSON that was made by jsonLine, before anything else is loaded (F174).
      'core/cli/hook/hook-entry.ts',
    ],
    banned:
      /process\s*(?:\.\s*(?:stdout|stderr)|\[\s*stream\s*\])\s*\.\s*write|\bconsole\s*\.\s*[a-z]+\s*\(|\bwriteSync\s*\(\s*[12]\b/,
    example: 'process.stdout.write(session.title)',
  },
  {
    title: 'the command line prints JSON by jsonLine: other JSON holds escapes of a terminal',
    within: ['core/cli'],
    // Keys, sizes and words of answers, which the protocol writes as its own JSON.
    except: [
      'core/cli/mcp/corpora.ts',
      'core/cli/mcp/drafts.ts',
      'core/cli/mcp/messages.ts',
      'core/cli/mcp/page.ts',
      'core/cli/mcp/tools/propose-signals.ts',
    ],
    banned: /JSON\.stringify\s*\(/,
    example: 'await print(JSON.stringify(trace))',
  },
]

/** Source files below a folder, without tests, because tests contain banned code. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:ts|tsx|mjs|html)$/.test(name) && !/\.test\.tsx?$/.test(name))
}

/** Code without comments, so that a comment may name banned code. */
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
