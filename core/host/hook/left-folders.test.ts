import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLeftFolders, SOCKET_FOLDER } from './left-folders.ts'

test.skipIf(process.platform === 'win32')(
  '[F222] folders of killed hosts are removed, those of running and starting hosts stay',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'turnscope-left-'))
    const made = (name: string) => {
      const folder = join(parent, `${SOCKET_FOLDER}${name}`)
      mkdirSync(folder)
      return folder
    }
    const [killed, running, starting, old] = ['killed', 'running', 'starting', 'old'].map(made)
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script, join(killed ?? '', 's')])
    expect(existsSync(join(killed ?? '', 's'))).toBe(true)
    const server = createServer().listen(join(running ?? '', 's'))
    await new Promise((resolve) => server.once('listening', resolve))
    utimesSync(old ?? '', 1, 1)
    mkdirSync(join(parent, 'other'))
    await removeLeftFolders(parent)
    expect([killed, running, starting, old].map((one) => existsSync(one ?? ''))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(existsSync(join(parent, 'other'))).toBe(true)
    await new Promise((resolve) => server.close(resolve))
    rmSync(parent, { recursive: true })
  },
)
