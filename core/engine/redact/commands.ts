import { isPlaceholder, isCredential, isRandom, startsWithUuid } from './secret-like.ts'
import { mayBePassword } from './password-like.ts'
import type { Finder, Rule } from './rule.ts'
import { bareReader, quotedAt, type BareReader, type ReadValue } from './value-reader.ts'

/** A program that takes a password behind a flag of one letter. */
interface Command {
  readonly anchors: readonly string[]
  /** The flag, in a group of a pattern. */
  readonly flag: string
  /** Whether the value may be a separate word (`-p X`), joined (`-pX`), or both. */
  readonly value: 'apart' | 'joined' | 'both'
}

/** [R19] Programs and their flags; of `mysql -p X`, X is the database. */
const COMMANDS: readonly Command[] = [
  { anchors: ['sshpass'], flag: '-p', value: 'both' },
  {
    anchors: ['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mariadb', 'mycli'],
    flag: '-p',
    value: 'joined',
  },
  {
    anchors: [
      'docker login',
      'podman login',
      'buildah login',
      'skopeo login',
      'nerdctl login',
      'registry login',
      'az login',
      'oc login',
      'cf login',
      'ecs login',
      'ibmcloud login',
    ],
    flag: '-p',
    value: 'both',
  },
  {
    anchors: ['mongo ', 'mongosh', 'mongodump', 'mongorestore', 'cqlsh', 'htcacheclean'],
    flag: '-p',
    value: 'apart',
  },
  { anchors: ['redis-cli', 'valkey-cli'], flag: '-a', value: 'apart' },
  {
    anchors: ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapdelete', 'ldappasswd', 'ldapwhoami'],
    flag: '-w',
    value: 'both',
  },
  { anchors: ['sqlcmd', 'bcp ', 'isql'], flag: '-P', value: 'both' },
  { anchors: ['unzip ', 'zip '], flag: '-P', value: 'both' },
  { anchors: ['7z ', '7za ', 'rar ', 'unrar '], flag: '-p', value: 'joined' },
  { anchors: ['ipmitool'], flag: '-P', value: 'apart' },
  { anchors: ['rsync ', 'mosquitto_pub', 'mosquitto_sub'], flag: '-P', value: 'apart' },
  {
    anchors: ['kinit', 'xfreerdp', 'rdesktop', 'winexe', 'evil-winrm'],
    flag: '(?:-p|/p:)',
    value: 'both',
  },
]

const MOST = 600
/** Of one command: up to where another one begins. */
const COMMAND_END = /[\r\n;|]|&&|\\n/u
/** Between words of a command: blanks, or the quotes and commas of a list of arguments. */
const GAP = String.raw`(?:\\{0,15}["'])?(?:[ \t]{1,8}|\\\r?\n\s{0,8}|\s{0,4},\s{0,8})`

function flagFinder({ flag, value }: Command): Finder {
  const behind = { apart: GAP, joined: '', both: `(?:${GAP})?` }[value]
  const shape = new RegExp(String.raw`(?<=[\s"'])${flag}=?${behind}`, 'gu')
  const letters = flag.slice(-2)
  return (text) => {
    const bare = bareReader(text)
    return (at) => {
      if (/[\w-]/u.test(text[at - 1] ?? '')) return null
      const rest = text.slice(at, at + MOST)
      if (!rest.includes(letters) && !flag.startsWith('(')) return null
      const stop = rest.search(COMMAND_END)
      const command = stop < 0 ? rest : rest.slice(0, stop)
      for (const match of command.matchAll(shape)) {
        const read = valueAt(text, at + match.index + match[0].length, bare)
        if (read !== null && isGiven(read)) return [read.start, read.end]
      }
      return null
    }
  }
}

function valueAt(text: string, at: number, bare: BareReader): ReadValue | null {
  return quotedAt(text, at) ?? bare(at, {})
}

/** Anything but references, and what help texts write. */
function isGiven({ text }: ReadValue): boolean {
  return text.length >= 3 && !/^-|^[A-Z_]+$/u.test(text) && mayBePassword(text, true)
}

/** `echo X | docker login --password-stdin`, `echo user:X | chpasswd`. */
const piped: Finder = (text) => {
  const bare = bareReader(text)
  return (at) => {
    const from = Math.max(0, at - 300)
    const echo = text.slice(from, at).lastIndexOf('echo')
    if (echo < 0) return null
    const start = from + echo
    const before = text.slice(start, at)
    const match = /^(?:echo|printf)(?: -[a-z]{1,3}){0,2} {1,4}/u.exec(before)
    if (match === null || /[\r\n;&]|\|[^|]*\|/u.test(before)) return null
    const read = valueAt(text, start + match[0].length, bare)
    if (read === null || read.end > at || !isGiven(read)) return null
    const user = /^[\w.-]{1,40}:/u.exec(read.text)
    return [read.start + (user?.[0].length ?? 0), read.end]
  }
}

/** [R19] Rules for secrets in commands and tool files that no name announces. */
export const COMMAND_RULES: readonly Rule[] = [
  ...COMMANDS.map((command): Rule => ({
    kind: 'key',
    name: 'password of a command',
    anchors: command.anchors,
    before: 'any',
    find: flagFinder(command),
  })),
  {
    kind: 'key',
    name: 'password in a pipe',
    before: 'any',
    find: piped,
    anchors: [
      '--password-stdin',
      'chpasswd',
      '| sudo -S',
      '|sudo -S',
      '--passphrase-fd 0',
      '--with-token',
    ],
  },
  {
    kind: 'key',
    name: 'password of openssl',
    anchors: ['pass:'],
    before: 'word',
    shape: /pass:(?<v>[^\s"'`\\<>]{3,200})/uy,
    accept: ({ index, groups }, text) =>
      /-pass(?:in|out)?["',\s=]{1,6}$/u.test(text.slice(Math.max(0, index - 20), index)) &&
      mayBePassword(groups?.['v'] ?? '', true),
  },
  {
    kind: 'key',
    name: 'password of a statement',
    anchors: ['identified by', 'identified with'],
    anyCase: true,
    before: 'word',
    shape:
      /identified (?:with [\w"'`]{1,40} )?(?:by|as) (?:password )?(?:\\{0,15}["'])(?<v>[^\s"'\\]{3,200})(?=\\{0,15}["'])/iuy,
    accept: ({ groups }) => mayBePassword(groups?.['v'] ?? '', true),
  },
  {
    kind: 'key',
    name: 'secure string',
    anchors: ['convertto-securestring'],
    anyCase: true,
    before: 'word',
    shape:
      /convertto-securestring (?:-string )?\\{0,15}["'](?<v>[^\s"'\\$]{3,200})(?=\\{0,15}["'])/iuy,
    accept: ({ groups }) => mayBePassword(groups?.['v'] ?? '', true),
  },
  {
    kind: 'token',
    name: 'credentials of a list of arguments',
    before: 'any',
    anchors: ['"-u', "'-u", '"--user', "'--user"],
    shape:
      /["'](?:-u|--user)\\{0,15}["']\s{0,4},\s{0,8}\\{0,15}["'](?<v>[^\s"':\\]{1,100}:[^\s"'\\]{3,200})/uy,
    accept: ({ groups }) => isCredential(groups?.['v'] ?? ''),
  },
  {
    kind: 'key',
    name: 'hash of a password',
    before: 'any',
    anchors: [
      '$1$',
      '$5$',
      '$6$',
      '$2a$',
      '$2b$',
      '$2y$',
      '$y$',
      '$apr1$',
      '$argon2',
      '{SSHA}',
      'pbkdf2_sha',
    ],
    shape:
      /(?:\$[156]\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{22,86}|\$apr1\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}|\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}|\$y\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{1,86}\$[A-Za-z0-9./]{43}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{1,60}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{16,200}|\{SSHA\}[A-Za-z0-9+/]{28,120}={0,2}|pbkdf2_sha\d{1,3}\$\d{1,9}\$[A-Za-z0-9]{4,64}\$[A-Za-z0-9+/]{20,120}={0,2})/uy,
  },
]

/** [R19] Cookies in files and programs. */
export const COOKIE_RULES: readonly Rule[] = [
  {
    kind: 'token',
    name: 'cookie',
    anchors: ['cookie'],
    anyCase: true,
    before: 'any',
    shape:
      /cookie(?:\\{0,15}["'])?(?:\s{0,4},\s{0,8}(?:\\{0,15}["'])value(?:\\{0,15}["'])\s{0,4}:\s{0,4}|\s{0,4}=\s{0,4}|\s{1,2})(?:\\{0,15}["'])(?<v>[^\s"'`\\;,=(){}<>[\]]{1,100}=[^\r\n"'`\\[\]\p{Cc}]{8,8000})/iuy,
    lookAgain: true,
    accept: ({ groups }) =>
      /\d/u.test(groups?.['v'] ?? '') && /[A-Za-z0-9_%-]{12,}/u.test(groups?.['v'] ?? ''),
  },
  {
    kind: 'token',
    name: 'cookie of a command',
    anchors: [" -b '", ' -b "', ' -b \\"'],
    before: 'any',
    shape: / -b \\{0,15}["'](?<v>[^\s"'`\\;,=]{1,100}=[^\r\n"'`\\\p{Cc}]{12,8000})/uy,
    accept: ({ groups }) => /\d/u.test(groups?.['v'] ?? ''),
  },
  {
    kind: 'token',
    name: 'cookie of a file',
    anchors: ['TRUE\t', 'FALSE\t', 'TRUE\\t', 'FALSE\\t'],
    before: 'any',
    shape:
      /(?:TRUE|FALSE)(?:\t|\\{1,7}t)\/[^\s\\]{0,200}(?:\t|\\{1,7}t)(?:TRUE|FALSE)(?:\t|\\{1,7}t)\d{1,12}(?:\t|\\{1,7}t)[^\s\\]{1,200}(?:\t|\\{1,7}t)(?<v>[^\s"'`\\]{8,4000})/uy,
    accept: ({ groups }) => isRandom(groups?.['v'] ?? ''),
  },
  {
    kind: 'token',
    name: 'session id',
    before: 'any',
    anyCase: true,
    lookAgain: true,
    anchors: ['session', 'sid', 'csrf', 'xsrf', 'auth'],
    shape:
      /(?:session(?:_?id|_?token|_?key)?|connect\.sid|sid|csrf(?:_?token)?|xsrf-token|auth(?:_?token)?)(?:=|(?:\\{0,15}["'])\s{0,4},\s{0,8}(?:\\{0,15}["'])value(?:\\{0,15}["'])\s{0,4}:\s{0,4}(?:\\{0,15}["']))(?<v>[A-Za-z0-9%._~+/:-]{16,4000}={0,2})/iuy,
    accept: ({ index, groups }, text) => {
      const value = groups?.['v'] ?? ''
      return (
        !/[A-Za-z]/u.test(text[index - 1] ?? '') &&
        isRandom(value) &&
        !startsWithUuid(value) &&
        !isPlaceholder(value)
      )
    },
  },
]
