import {
  type BigIntStats,
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { FileRefused } from './file-refused.ts'

/** Absolute folders whose paths may not lead out by symbolic links. A thread has its own set. */
const fences = new Set<string>()

/**
 * [F200] From now on, refuses paths below `root` that lead out of it by symbolic links. The root itself may be a link,
 * and need not exist yet.
 */
export function fence(root: string): void {
  const named = resolve(root)
  fences.add(named)
  // Paths below the real root mean the same files.
  fences.add(realOrNull(named) ?? named)
}

/** A path below a fence, without links. */
interface FencedPlace {
  /** The fenced folder, as callers name it. */
  readonly fenced: string
  /** The fenced folder, without links. */
  readonly root: string
  readonly path: string
}

/** Whether a link in the last part of a path is followed or kept. */
type Last = 'followed' | 'kept'

const MOST_LINKS = 40
const CODE = 'EOUTSIDE'
const CIRCLE = ['symbolic links lead in a circle', 'Put a file in the place of the link'] as const

/**
 * [F200] The real target of a path; null if it is in no fence. Throws the same error for every path that leads out.
 * Nothing outside is accessed, so the error cannot reveal whether a file exists there.
 */
export function placeOf(path: string, last: Last = 'followed'): FencedPlace | null {
  const named = resolve(path)
  const fenced = outermost(named)
  return fenced === null ? null : placeWithin(fenced, named, last)
}

/** The same for a path below a given folder, with or without a fence. Null if the folder does not exist. */
export function placeWithin(fenced: string, path: string, last: Last): FencedPlace | null {
  const root = realOrNull(fenced)
  // Nothing below a folder that is missing can be a link.
  if (root === null) return null
  const roots = { fenced, root }
  return { ...roots, path: walk(roots, relative(fenced, path), last) }
}

/** The path to use instead of `path`: without links if a fence is around it. Throws if it leads out. */
export function inside(path: string, last: Last = 'followed'): string {
  return placeOf(path, last)?.path ?? path
}

/** Whether an error says that a path leads out of its fence. */
export function isOutside(error: unknown): boolean {
  return error instanceof FileRefused && error.code === CODE
}

/** Opens a file by its path. Rejects if the path leads out of its fence. */
export async function openInside(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const place = placeOf(path)
  return place === null ? open(path, flags, mode) : openPlace(place, flags, mode)
}

/** The same, as a descriptor that the caller closes. */
export function openInsideSync(path: string, flags: number, mode?: number): number {
  const place = placeOf(path)
  return place === null ? openSync(path, flags, mode) : openPlaceSync(place, flags, mode)
}

/**
 * [F200] Opens a place that was resolved before. The descriptor is checked, not only the path: a link that took the
 * place of a file or of a folder in the meantime gains nothing.
 */
export async function openPlace(
  place: FencedPlace,
  flags: number,
  mode?: number,
): Promise<FileHandle> {
  const file = await open(place.path, flags | NO_FOLLOW, mode).catch((error: unknown) => {
    throw refusedLink(error, place)
  })
  try {
    checkDescriptor(file.fd, place)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The same, as a descriptor that the caller closes. */
export function openPlaceSync(place: FencedPlace, flags: number, mode?: number): number {
  let file: number
  try {
    file = openSync(place.path, flags | NO_FOLLOW, mode)
  } catch (error) {
    throw refusedLink(error, place)
  }
  try {
    checkDescriptor(file, place)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Whether `path` is `root` or below it, as both are written. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (!/^\.\.(?:[/\\]|$)/u.test(way) && !isAbsolute(way))
}

// Windows has no O_NOFOLLOW; there the identity of the opened file is compared.
const NO_FOLLOW: number = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0

function refused(root: string): FileRefused {
  return new FileRefused(
    CODE,
    `a symbolic link leads out of ${root}; it was not followed`,
    'Put a file in the place of the link, or name the file that it leads to',
  )
}

/** ELOOP: a link took the place of the file after its path was resolved. */
function refusedLink(error: unknown, { fenced }: FencedPlace): unknown {
  return codeOf(error) === 'ELOOP' ? refused(fenced) : error
}

function outermost(named: string): string | null {
  let found: string | null = null
  for (const each of fences)
    if (isWithin(each, named) && (found === null || each.length < found.length)) found = each
  return found
}

type Roots = Omit<FencedPlace, 'path'>

/** Follows links part by part, and refuses at the first step that leaves the root. */
function walk(roots: Roots, way: string, last: Last): string {
  const { fenced, root } = roots
  const left = partsOf(way)
  let at = root
  for (let links = 0; left.length > 0;) {
    const part = left.shift() ?? ''
    if (part === '..') {
      if (at === root) throw refused(fenced)
      at = dirname(at)
      continue
    }
    const next = join(at, part)
    const target = last === 'kept' && left.length === 0 ? null : linkAt(next)
    if (target === null) {
      at = next
      continue
    }
    links += 1
    if (links > MOST_LINKS) throw new FileRefused('ELOOP', ...CIRCLE)
    const below = isAbsolute(target) ? wayBelow(roots, target) : target
    if (below === null) throw refused(fenced)
    if (isAbsolute(target)) at = root
    left.unshift(...partsOf(below))
  }
  return at
}

/** Parts of a path as written. `..` stays, because the part before it may be a link. */
function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[/\\]/u : '/').filter((part) => part !== '' && part !== '.')
}

/** The target of a link; null for any other or a missing path. */
function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    // The system reports the error when the path is used.
    return null
  }
}

/**
 * The way from the root to the absolute target of a link; null if it is outside. A folder that means the root may
 * have other names, if a folder above it is a link.
 */
function wayBelow({ fenced, root }: Roots, target: string): string | null {
  const { root: drive } = parse(target)
  const parts = partsOf(target.slice(drive.length))
  for (let count = 0; count <= parts.length; count += 1) {
    if (parts[count - 1] === '..') return null
    const above = join(drive, ...parts.slice(0, count))
    if (above === root || above === fenced || realOrNull(above) === root)
      return parts.slice(count).join(sep)
  }
  return null
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Throws unless the opened file is inside. */
function checkDescriptor(file: number, place: FencedPlace): void {
  const path = pathOfDescriptor(file)
  const isFine = path === null ? isSameFile(file, place) : isWithin(place.root, path)
  if (!isFine) throw refused(place.fenced)
}

/** Path of an open file according to the system; null on systems that do not report it. */
function pathOfDescriptor(file: number): string | null {
  if (process.platform !== 'linux') return null
  try {
    const path = readlinkSync(`/proc/self/fd/${file}`)
    return isAbsolute(path) ? path : null
  } catch {
    return null
  }
}

/** Whether the file that was opened is the one that the path means now, resolved again. */
export function isSameFile(file: number, place: FencedPlace): boolean {
  try {
    const again = placeOf(place.path)
    if (again?.path !== place.path) return false
    const opened: BigIntStats = fstatSync(file, { bigint: true })
    const found: BigIntStats = lstatSync(place.path, { bigint: true })
    return opened.dev === found.dev && opened.ino === found.ino
  } catch {
    return false
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
