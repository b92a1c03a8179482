import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Picture, PictureKind } from '../../../engine/schema/picture.ts'
import { ROOT } from '../../../../scripts/build.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { createPipelines } from '../../rules/pipelines.ts'
import { createPictures } from './pictures.ts'
import { createSessionService } from '../../sessions/session/service.ts'

const { signal } = new AbortController()
const config = { preset: 'recommended', domains: 'default', profile: null, classify: null }

/** A picture of a sample, from a new service without cached data. */
async function drawn(sample: string, kind: PictureKind, isCompared = false): Promise<Picture> {
  const workspace = openWorkspace(ROOT, ROOT)
  const limit = createTimeLimit()
  const service = createSessionService(workspace, createPipelines(), limit)
  const path = join(ROOT, 'fixtures/sessions', sample)
  const file = { path, name: basename(path), shown: null, fixed: null, map: null }
  const reading = service.open('k', file, signal)
  while ((await reading.next()).done !== true);
  const compare = isCompared ? { ...config, preset: 'literal' } : null
  const request = {
    key: 'k',
    session: 0,
    kind,
    config,
    compare,
    turns: null,
    theme: 'light' as const,
  }
  const picture = await createPictures(service, workspace, limit).draw(request, { signal })
  service.close('k')
  return picture
}

const GOLDENS: ReadonlyArray<readonly [sample: string, kind: PictureKind, isCompared: boolean]> = [
  ['st-003.jsonl', 'timeline', true],
  ['st-003.jsonl', 'transitions', true],
  ['st-003.jsonl', 'budget', false],
  ['lock-in.jsonl', 'timeline', false],
  ['pipeline-run.jsonl', 'budget', false],
  ['second-opinions.jsonl', 'sessions', true],
]

test.each(GOLDENS)(
  '[U150] the picture of %s as %s is the one that was looked at',
  async (sample, kind, isCompared) => {
    const { svg } = await drawn(sample, kind, isCompared)
    const name = `${basename(sample, '.jsonl')}-${kind}.svg`
    await expect(svg).toMatchFileSnapshot(join(ROOT, 'fixtures/pictures', name))
  },
)

test('[U150] two services draw the same bytes', async () => {
  const first = await drawn('st-003.jsonl', 'timeline', true)
  const second = await drawn('st-003.jsonl', 'timeline', true)
  expect(second).toEqual(first)
})
