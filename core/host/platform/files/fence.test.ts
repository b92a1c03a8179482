import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { messageOf } from '../../../engine/result.ts'
import { appendLine, saveText, writeFileAtomic } from './atomic-file.ts'
import * as fenced from './fenced-fs.ts'
import { fence, isSameFile, openPlace, openPlaceSync, placeOf } from './fence.ts'
import { withLock } from './file-lock.ts'
import { readText, readTextSync } from './regular-file.ts'

const SECRET = 'hunter2'
const FILE = 'profiles/domains/leak.yaml'

let root = ''
let outside = ''

beforeEach(() => {
  root = makeFolder({ 'profiles/domains/own.yaml': 'own', 'docs/a.md': 'inside' })
  outside = makeFolder({ 'secret.yaml': SECRET, 'folder/secret.yaml': SECRET })
  fence(root)
})

function link(target: string, path = FILE): void {
  rmSync(join(root, path), { recursive: true, force: true })
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(target, join(root, path))
}

/** Links that lead out, by target. */
const LINKS: ReadonlyArray<readonly [string, () => void]> = [
  ['a link to a file', () => link(join(outside, 'secret.yaml'))],
  ['a link to a missing file', () => link(join(outside, 'missing.yaml'))],
  ['a link to a folder', () => link(join(outside, 'folder'))],
  ['a link below a file, which no folder is', () => link(join(outside, 'secret.yaml', 'x.yaml'))],
  [
    'a relative link',
    () => link(`../../../../${outside.slice(dirname(root).length + 1)}/secret.yaml`),
  ],
  [
    'a chain of links',
    () => {
      link(join(outside, 'secret.yaml'), 'docs/second')
      link('../../docs/second')
    },
  ],
  [
    'a link outside that leads back in',
    () => {
      symlinkSync(join(root, 'docs/a.md'), join(outside, 'back'))
      link(join(outside, 'back'))
    },
  ],
  [
    'a link that climbs out and comes back',
    () => link(`../../../../${root.split('/').at(-1) ?? ''}/docs/a.md`),
  ],
  [
    'a folder above that is a link',
    () => {
      symlinkSync(join(outside, 'secret.yaml'), join(outside, 'folder', 'leak.yaml'))
      link(join(outside, 'folder'), 'profiles/domains')
    },
  ],
  ['a folder above that is a link to nothing', () => link(join(outside, 'no'), 'profiles/domains')],
]

const messageFrom = async (work: () => unknown): Promise<string> => {
  try {
    return `no error: ${String(await work())}`
  } catch (error) {
    return messageOf(error)
  }
}

describe('[F200] a path below a fence', () => {
  it.each(LINKS)('%s is refused, with one text for all', async (_, make) => {
    make()
    const path = join(root, FILE)
    const expected = `a symbolic link leads out of ${root}; it was not followed`
    const calls: ReadonlyArray<() => unknown> = [
      () => readText(path),
      () => readTextSync(path),
      () => fenced.stat(path),
      () => fenced.statSync(path, { throwIfNoEntry: false }),
      () => fenced.realpath(path),
      () => fenced.readdir(path),
      () => fenced.readdirSync(path),
      () => fenced.access(path),
      () => fenced.readFile(path, 'utf8'),
      () => fenced.open(path),
      () => fenced.copyFile(path, join(root, 'copy')),
      () => fenced.writeFile(path, 'x'),
      () => fenced.writeFileSync(path, 'x'),
      () => fenced.appendFile(path, 'x'),
      () => fenced.mkdir(join(path, 'new'), { recursive: true }),
      () => saveText(path, 'x'),
      () => writeFileAtomic(path, 'x'),
      () => appendLine(path, 'x'),
      () => withLock(path, () => Promise.resolve('locked')),
    ]
    for (const call of calls) expect(await messageFrom(call), String(call)).toBe(expected)
    expect(fenced.existsSync(path)).toBe(false)
    expect(existsSync(join(root, 'copy'))).toBe(false)
    expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe(SECRET)
    expect(
      readdirSync(outside).filter((name) => !['secret.yaml', 'folder', 'back'].includes(name)),
    ).toEqual([])
  })

  it.each([
    ['relative', () => link('own.yaml')],
    ['through a folder', () => link('../../docs/../profiles/domains/own.yaml')],
    ['absolute', () => link(join(root, 'profiles/domains/own.yaml'))],
    [
      'chained',
      () => {
        link(join(root, 'profiles/domains/own.yaml'), 'docs/second')
        link('../../docs/second')
      },
    ],
    [
      'with a folder above',
      () => {
        rmSync(join(root, 'profiles'), { recursive: true })
        mkdirSync(join(root, 'real/domains'), { recursive: true })
        writeFileSync(join(root, 'real/domains/leak.yaml'), 'own')
        link('real', 'profiles')
      },
    ],
  ])('may be a link that stays inside: %s', async (_, make) => {
    make()
    expect(await readText(join(root, FILE))).toBe('own')
    await saveText(join(root, FILE), 'new')
    expect(readTextSync(join(root, FILE))).toBe('new')
  })

  it('is not followed by a private write in the place of a link, which takes its place', async () => {
    link(join(outside, 'secret.yaml'), '.turnscope/state.json')
    await writeFileAtomic(join(root, '.turnscope/state.json'), 'x', { isPrivate: true })
    expect(lstatSync(join(root, '.turnscope/state.json')).isFile()).toBe(true)
    expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe(SECRET)
  })

  it('is not written below a state folder that leads out', async () => {
    link(join(outside, 'folder'), '.turnscope')
    expect(
      await messageFrom(() =>
        writeFileAtomic(join(root, '.turnscope/state.json'), 'x', { isPrivate: true }),
      ),
    ).toMatch(/leads out/u)
    expect(readdirSync(join(outside, 'folder'))).toEqual(['secret.yaml'])
  })

  it('may be below a root that is a link itself', async () => {
    const named = join(tmpdir(), `turnscope-fence-${process.pid}`)
    rmSync(named, { force: true })
    symlinkSync(root, named)
    try {
      fence(named)
      link(join(named, 'docs/a.md'))
      expect(await readText(join(named, FILE))).toBe('inside')
      link(join(outside, 'secret.yaml'))
      expect(await messageFrom(() => readText(join(named, FILE)))).toMatch(/leads out/u)
    } finally {
      rmSync(named)
    }
  })

  it('says that links lead in a circle', async () => {
    link('leak.yaml')
    expect(await messageFrom(() => readText(join(root, FILE)))).toBe(
      'symbolic links lead in a circle',
    )
  })
})

describe('[F200] a path that changes after it was resolved', () => {
  it.each([
    [
      'the file becomes a link',
      () => link(join(outside, 'secret.yaml'), 'profiles/domains/own.yaml'),
    ],
    [
      'the folder becomes a link',
      () => {
        writeFileSync(join(outside, 'folder', 'own.yaml'), SECRET)
        renameSync(join(root, 'profiles/domains'), join(root, 'away'))
        symlinkSync(join(outside, 'folder'), join(root, 'profiles/domains'))
      },
    ],
  ])('gains nothing: %s', async (_, swap) => {
    const place = placeOf(join(root, 'profiles/domains/own.yaml'))!
    swap()
    expect(await messageFrom(() => openPlace(place, fenced.constants.O_RDONLY))).toMatch(
      /leads out/u,
    )
    expect(await messageFrom(() => openPlaceSync(place, fenced.constants.O_RDONLY))).toMatch(
      /leads out/u,
    )
  })

  it('gains nothing on systems that do not say where an open file is: the identity of the file counts', () => {
    const path = join(root, 'profiles/domains/own.yaml')
    const place = placeOf(path)!
    const inner = fenced.openSync(path)
    const other = fenced.openSync(join(outside, 'secret.yaml'))
    try {
      expect(isSameFile(inner, place)).toBe(true)
      expect(isSameFile(other, place)).toBe(false)
      link(join(outside, 'secret.yaml'), 'profiles/domains/own.yaml')
      expect(isSameFile(other, place)).toBe(false)
    } finally {
      fenced.closeSync(inner)
      fenced.closeSync(other)
    }
  })

  it('gains nothing for what is written: the outside file keeps its bytes', async () => {
    const place = placeOf(join(root, 'profiles/domains/own.yaml'))!
    link(join(outside, 'secret.yaml'), 'profiles/domains/own.yaml')
    const { O_WRONLY, O_CREAT } = fenced.constants
    expect(await messageFrom(() => openPlace(place, O_WRONLY | O_CREAT))).toMatch(/leads out/u)
    expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe(SECRET)
  })
})
