import { hash } from 'node:crypto'
import { statSync } from './fenced-fs.ts'
import { join } from 'node:path'
import { safeFileName } from '../names.ts'

/** The conversation, trace or process that a record belongs to. Equal names of different kinds are different owners. */
export interface RecordOwner {
  readonly kind: 'session' | 'trace' | 'process'
  /** As its sender wrote it: any text. */
  readonly name: string
}

const ENDINGS: Readonly<Record<RecordOwner['kind'], string>> = {
  session: '',
  trace: '~trace',
  process: '~process',
}

/** A name that is a file name on each system, and that no other name equals in another case or normal form. */
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,99}$/u
/** Windows device names, with any file extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u

/** Characters of a name that are shown before its hash. */
const SHOWN = 60

/**
 * [F207] The file name of a record, without `.jsonl`: different for different owners, also on a file system that
 * ignores case or normal forms. A plain name stays as it is; else 128 bits of its hash follow. `~` is in no plain
 * name and in no name of an older version.
 */
export function recordName(owner: RecordOwner): string {
  const { kind, name } = owner
  const isPlain = PLAIN.test(name) && !DEVICE.test(name)
  return `${isPlain ? name : hashedName(name)}${ENDINGS[kind]}`
}

function hashedName(name: string): string {
  const shown = name
    .slice(0, 4 * SHOWN)
    .replace(/[^A-Za-z0-9_-]+/gu, '_')
    .replace(/^[_-]+/u, '')
    .slice(0, SHOWN)
  // UTF-16, because UTF-8 has one form for all lone surrogates.
  const digits = hash('sha256', Buffer.from(name, 'utf16le'), 'hex').slice(0, 32)
  return `${shown === '' ? '_' : shown}~${digits}`
}

/** Bytes of a name of an older version. */
const OLDER_BYTES = 225

/** The file name in older versions, the same for all kinds. Different owners could have the same one. */
export function olderName({ name }: RecordOwner): string {
  let cut = safeFileName(name)
  while (Buffer.byteLength(cut) > OLDER_BYTES) cut = cut.slice(0, -1)
  return cut === name ? cut : `${cut}-${hash('sha256', name, 'hex').slice(0, 8)}`
}

/**
 * [F207] The path of the record of an owner. A record under its older name is continued there, if its contents name
 * this owner. A record that belongs to another owner is never taken: the name with a hash is used beside it.
 * @param folder of the records
 * @param ownerOf the owner that the contents of a file name; null if they name none
 */
export function recordFile(
  folder: string,
  owner: RecordOwner,
  ownerOf: (path: string) => RecordOwner | null,
): string {
  const pathOf = (name: string) => join(folder, `${name}.jsonl`)
  const path = pathOf(recordName(owner))
  const older = pathOf(olderName(owner))
  if (path !== older) {
    const isContinued = !isThere(path) && isThere(older) && isSame(ownerOf(older), owner)
    return isContinued ? older : path
  }
  // Only a session has a plain name that an older version gave to other owners, too.
  const beside = pathOf(hashedName(owner.name))
  if (isThere(beside)) return beside
  const found = isThere(path) ? ownerOf(path) : null
  return found === null || isSame(found, owner) || isMoved(found, owner) ? path : beside
}

function isSame(one: RecordOwner | null, other: RecordOwner): boolean {
  return one !== null && one.kind === other.kind && one.name === other.name
}

/** Records of a trace that moved to a session, before the first of the session itself was added. */
function isMoved(found: RecordOwner, { name }: RecordOwner): boolean {
  return found.kind !== 'session' && olderName(found) !== name
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
