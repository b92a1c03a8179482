import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { ROOT } from '../../../../scripts/build.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { createTourHandlers } from './tour-handlers.ts'

const TOUR = { title: 'Mine', session: 'any', stops: [{ turn: 2, say: 'Look: "here".' }] }
const context = { signal: new AbortController().signal }

function opened(files: Readonly<Record<string, string>> = {}) {
  const root = makeFolder(files)
  const handlers = createTourHandlers(openWorkspace(root, ROOT))
  const save = (input: Parameters<(typeof handlers)['tour.save']>[0]) =>
    handlers['tour.save'](input, context)
  return { root, save, list: () => handlers['tour.list']({}, context) }
}

test('[U135] a recorded tour is a file of the workspace that reads as it was saved', async () => {
  const { root, save, list } = opened()
  expect(await save({ id: 'mine', tour: TOUR, fingerprint: null })).toEqual({
    file: 'tours/mine.yaml',
  })
  expect(readFileSync(join(root, 'tours/mine.yaml'), 'utf8')).toContain('title: Mine')
  const mine = (await list()).tours.find(({ id }) => id === 'mine')
  expect(mine).toMatchObject({ own: true, tour: TOUR })
  await save({ id: 'mine', tour: null, fingerprint: mine!.fingerprint })
  expect(existsSync(join(root, 'tours/mine.yaml'))).toBe(false)
})

test('[U135] a tour that somebody else changed meanwhile is not written over', async () => {
  const { root, save, list } = opened()
  await save({ id: 'mine', tour: TOUR, fingerprint: null })
  const { fingerprint } = (await list()).tours.find(({ id }) => id === 'mine')!
  const path = join(root, 'tours/mine.yaml')
  writeFileSync(path, '# theirs\n')
  await expect(save({ id: 'mine', tour: TOUR, fingerprint })).rejects.toThrow(/another one by now/u)
  await expect(save({ id: 'mine', tour: TOUR, fingerprint: null })).rejects.toThrow()
  expect(readFileSync(path, 'utf8')).toBe('# theirs\n')
})

test('[U135] a link does not lead a tour out of the workspace', async () => {
  const { root, save } = opened()
  const outside = makeFolder({ 'a.yaml': 'theirs\n' })
  symlinkSync(outside, join(root, 'tours'))
  await expect(save({ id: 'b', tour: TOUR, fingerprint: null })).rejects.toThrow(/leads out/u)
  expect(existsSync(join(outside, 'b.yaml'))).toBe(false)
})
