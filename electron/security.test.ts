import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createAssetHandler } from './asset-handler.ts'
import { isAllowedLink } from './external-links.ts'
import { isOwnPage, webPreferences } from './security.ts'

it.each(['app://turnscope/', 'app://turnscope/index.html?a#b', 'APP://turnscope/x'])(
  'our own page: %s',
  (url) => expect(isOwnPage(url)).toBe(true),
)

it.each([
  'app://other/',
  'app://turnscope.example/',
  'app://turnscope:1/',
  'app://turnscope@other/',
  'app://other@turnscope/',
  'https://turnscope/',
  'file:///turnscope/',
  'data:text/html,app://turnscope/',
  'turnscope/',
  '',
])('not our page: %s', (url) => expect(isOwnPage(url)).toBe(false))

it.each([
  ['https://docs.python.org/3/library/re.html', true],
  ['https://developer.mozilla.org/', true],
  ['http://docs.python.org/', false],
  ['https://docs.python.org:8443/', false],
  ['https://docs.python.org.example/', false],
  ['https://user@docs.python.org/', false],
  ['https://example/?https://docs.python.org/', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['', false],
])('link %s opens outside: %s', (url, expected) => expect(isAllowedLink(url)).toBe(expected))

it('a renderer is sandboxed, isolated and without Node, whatever the defaults are', () =>
  expect(webPreferences('/preload.cjs', false)).toEqual({
    preload: '/preload.cjs',
    devTools: false,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  }))

describe('app:// serves', () => {
  const root = mkdtempSync(join(tmpdir(), 'turnscope-assets-'))
  afterAll(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'page/assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(root, 'page/index.html'), '<p>page</p>')
  writeFileSync(join(root, 'page/assets/a.js'), 'export {}')
  const handler = createAssetHandler(join(root, 'page'))
  const get = (path: string, method = 'GET') => handler({ url: `app://turnscope${path}`, method })

  it('its files with their type and the policy', async () => {
    const page = await get('/')
    expect(await page.text()).toBe('<p>page</p>')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src/)
    const script = await get('/assets/a.js')
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  })

  it.each([
    '/gone.js',
    '/assets',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%5csecret.txt',
    '/assets/%00',
    '/%',
  ])('nothing for %s, and the policy all the same', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  })

  it('no other host and no other method', async () => {
    const foreign = await handler({ url: 'app://other/index.html', method: 'GET' })
    expect(foreign.status).toBe(404)
    expect((await get('/', 'POST')).status).toBe(405)
  })
})
