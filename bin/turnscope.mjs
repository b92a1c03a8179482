#!/usr/bin/env node
// Starts the command line on a Node that runs TypeScript as it is: this one, else the repository's own.
// Plain JavaScript without modern syntax, so that an old Node can still say what is missing.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED = [22, 18]
const main = new URL('../core/cli/main.ts', import.meta.url)
const cache = new URL('../scripts/compile-cache.ts', import.meta.url)

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

if (isEnough(process.versions.node)) {
  const { keepCompiled } = await import(cache.href)
  keepCompiled()
  await import(main.href)
} else {
  const folder = '../node_modules/node/bin/node'
  const own = [folder, folder + '.exe']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (own === undefined) {
    process.stderr.write(
      'turnscope: Node ' +
        process.versions.node +
        ': it needs Node ' +
        NEEDED.join('.') +
        " or newer. Run `npm ci` in Turnscope's folder, which brings one along\n",
    )
    process.exit(2)
  }
  const self = fileURLToPath(import.meta.url)
  const child = spawn(own, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
