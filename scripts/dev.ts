/**
 * `npm run dev [-- FILE…]`: serves the window from its sources with hot reload, next to a host that restarts when its
 * sources change (F212). `--port N` picks the port, `--workspace DIR` the workspace.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { serveLoopback } from '../core/host/windows/main/loopback.ts'
import { CSP, SECURITY_HEADERS } from '../core/host/windows/main/web-policy.ts'
import { ROOT } from './build.ts'
import { createDevHost } from './dev/host-process.ts'
import { watchSources } from './dev/watch-sources.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    workspace: { type: 'string', default: ROOT },
  },
})

/** Vite marks the scripts and styles that it puts into the page with it. */
const nonce = randomBytes(16).toString('base64url')
const hmrPort = await freePort()
const vite = await createServer({
  configFile: false,
  root: join(ROOT, 'renderer'),
  cacheDir: join(ROOT, 'node_modules/.cache/vite-dev'),
  logLevel: 'warn',
  plugins: [react()],
  html: { cspNonce: nonce },
  server: {
    middlewareMode: true,
    host: '127.0.0.1',
    cors: false,
    // The overlay writes HTML, which the policy of the page forbids. Errors are in the terminal.
    hmr: { host: '127.0.0.1', port: hmrPort, clientPort: hmrPort, overlay: false },
  },
})

const host = createDevHost({
  workspace: resolve(values.workspace),
  files: positionals.map((file) => resolve(file)),
  report: (line) => process.stderr.write(`${line}\n`),
  // Immediately: windows wait a moment before they reconnect, and are then passed to the new host.
  onRetire: () => served.disconnect(),
})
const served = await serveLoopback(host, {
  root: join(ROOT, 'renderer'),
  port: Number(values.port),
  pages: answerPage,
})
await host.start()
process.stdout.write(`${served.url}\n`)

watchSources(['core', 'addons'], restart)

async function restart(name: string): Promise<void> {
  const startedAt = performance.now()
  const isReady = await host.start()
  const ms = Math.round(performance.now() - startedAt)
  if (isReady) process.stderr.write(`${name} changed: the host restarted in ${ms} ms\n`)
}

/** The same policy as in a build, and what Vite needs: its marked scripts and styles, and its socket. */
function answerPage(request: IncomingMessage, response: ServerResponse): void {
  const policy = CSP.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
    .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace("connect-src 'self'", `connect-src 'self' ws://127.0.0.1:${hmrPort}`)
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': policy }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  vite.middlewares(request, response, () => response.writeHead(404).end('Not found'))
}

async function freePort(): Promise<number> {
  const server = createSocketServer()
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const address = server.address()
  await new Promise<void>((settle) => server.close(() => settle()))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    host.stop()
    process.exit(0)
  })
