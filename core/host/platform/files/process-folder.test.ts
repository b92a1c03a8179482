import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MACHINE } from '../threads/processes.ts'
import { isOwnFolder, processFolder } from './process-folder.ts'

function makeParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'turnscope-folders-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  return parent
}

/** The number of a process that has ended. */
const goneProcess = (): number => spawnSync(process.execPath, ['-e', '']).pid

function made(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'database'), 'a copy')
  return folder
}

test('[F24] folders of killed processes are removed with what they hold, and others stay', () => {
  const parent = makeParent()
  const gone = goneProcess()
  const left = made(parent, `copies-${MACHINE}-${gone}-abcdef`)
  const kept = [
    made(parent, `copies-${MACHINE}-${process.ppid}-abcdef`),
    made(parent, `copies-00000000-${gone}-abcdef`),
    made(parent, `copies-other-${MACHINE}-${gone}-abcdef`),
    made(parent, `copies-${MACHINE}-${gone}-abcdef-mine`),
  ]
  const own = processFolder('copies', parent)
  expect(existsSync(left)).toBe(false)
  expect(kept.map((folder) => existsSync(folder))).toEqual(kept.map(() => true))
  expect(own).toContain(`copies-${MACHINE}-${process.pid}-`)
  // The folder of this process stays when it makes another.
  expect(processFolder('copies', parent)).not.toBe(own)
  expect(existsSync(own)).toBe(true)
})

test('[F24] a process of another account counts as alive, and a link is not followed', () => {
  const parent = makeParent()
  const gone = goneProcess()
  const target = made(parent, 'target')
  const link = join(parent, `copies-${MACHINE}-${gone}-abcdef`)
  symlinkSync(target, link, 'junction')
  processFolder('copies', parent)
  expect(existsSync(join(target, 'database'))).toBe(true)
  expect(isOwnFolder(link)).toBe(false)
  expect(isOwnFolder(join(parent, 'absent'))).toBe(false)

  const other = made(parent, `copies-${MACHINE}-${gone}-ghijkl`)
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
  })
  onTestFinished(() => kill.mockRestore())
  processFolder('copies', parent)
  expect(existsSync(other)).toBe(true)
})
