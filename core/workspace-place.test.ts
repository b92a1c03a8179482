import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../fixtures/host.ts'
import { personalFolder } from './host/workspace/personal.ts'
import { isPersonal, workspaceHere } from './workspace-place.ts'

const root = makeFolder({
  'mine/profiles/presets/p.yaml': '',
  'repo/.git/HEAD': '',
  'repo/profiles/domains/d.yaml': '',
  'loose/profiles/domains/d.yaml': '',
  'package/bin/turnscope.cjs': '',
  'clone/core/engine/x.ts': '',
})
const at = (...names: readonly string[]) => join(root, ...names)
for (const folder of ['repo/a/b', 'loose/a', 'empty']) mkdirSync(at(folder), { recursive: true })
afterAll(() => rmSync(root, { recursive: true, force: true }))

const env = { XDG_DATA_HOME: at('data') }
const personal = at('data', 'turnscope', 'workspace')

describe('[F120] the workspace of a command that names none', () => {
  it.each([
    ['the current folder that holds one', 'mine', 'package', at('mine')],
    ['the nearest above within the repository', 'repo/a/b', 'package', at('repo')],
    ['not one above where there is no repository', 'loose/a', 'package', personal],
    ['outside of any: the personal one', 'empty', 'package', personal],
    ['outside of any in a clone: the clone', 'empty', 'clone', at('clone')],
  ])('%s', (_, cwd, shipped, wanted) =>
    expect(workspaceHere({ cwd: at(cwd), env, shipped: at(shipped) })).toBe(wanted),
  )

  it('is what ships where the account has no folder for data', () =>
    expect(workspaceHere({ cwd: at('empty'), env: {}, shipped: at('package') })).toBe(
      at('package'),
    ))
})

it('[F121] the personal folder follows the system, and only absolute paths count', () => {
  expect(personalFolder({ XDG_DATA_HOME: 'data', HOME: '/home/x' })).toBe(
    join('/home/x', '.local', 'share', 'turnscope'),
  )
  expect(personalFolder({})).toBeNull()
  expect(isPersonal(personal, env)).toBe(true)
  expect(isPersonal(at('mine'), env)).toBe(false)
})
