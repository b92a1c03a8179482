/**
 * `node scripts/licences/notice.ts` writes NOTICE: the contents of notice-head.txt, then every package included in the
 * built application, with its licence. Build first. The gate refuses a NOTICE that differs from this output.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../build.ts'
import { LISTS } from './bundled.ts'

/** Shipped next to the archive (electron-builder.yml), from the folder into which the build installs them (F128). */
const MODEL_PACKAGES = 'scripts/model-packages/node_modules'
const SHIPPED = ['onnxruntime-node', 'onnxruntime-web', 'onnxruntime-common']
/** Packages that say their owner nowhere, as their repositories say it. */
const OWNERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHIPPED.map((name) => [name, 'Copyright (c) Microsoft Corporation'])),
  '@bufbuild/protobuf': 'Copyright 2021-2026 Buf Technologies, Inc.; Copyright 2008 Google Inc.',
  '@resvg/resvg-wasm': 'The authors of resvg-js and resvg',
}
/** Texts of licences that a package names and does not bring. */
const TEXTS: Readonly<Record<string, string>> = {
  'MPL-2.0': 'mpl-2.0.txt',
  '(Apache-2.0 AND BSD-3-Clause)': 'apache-and-bsd.txt',
}
/**
 * [F127] Licences under which a package may be bundled: NOTICE meets all their terms. The Mozilla licence requires the
 * source of the package's own files, which notice-head.txt names.
 */
export const ACCEPTED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  '(Apache-2.0 AND BSD-3-Clause)',
])
const LICENCE_FILE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/iu
const COPYRIGHT = /^\s*(?:copyright\b|\(c\)|©).*$/iu
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
})

interface Licence {
  readonly title: string
  /** SPDX id. */
  readonly id: string
  readonly copyrights: readonly string[]
  /** Without the copyright lines; '' if the package includes no licence. */
  readonly text: string
}

/** The licence of an installed package. */
export function licenceOf(folder: string): Licence {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const { name, version, license = 'no licence named', author } = manifest
  const file = readdirSync(folder)
    .filter((each) => LICENCE_FILE.test(each))
    .toSorted()[0]
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').split(/\r?\n/u)
  const isOwner = (line: string) => COPYRIGHT.test(line) && /\d{4}|@|by /u.test(line)
  const copyrights = lines.filter(isOwner).map((line) => line.trim())
  const owner = OWNERS[name] ?? (typeof author === 'string' ? author : author?.name)
  return {
    title: `${name} ${version} (${license})`,
    id: license,
    copyrights: copyrights.length > 0 || owner === undefined ? copyrights : [owner],
    text: lines
      .filter((line) => !isOwner(line))
      .join('\n')
      .trim(),
  }
}

const wordsOf = ({ text }: Licence) => text.replaceAll(/\s+/gu, ' ').toLowerCase()

/** A package without a text gets the one that most packages under the same licence have. */
function withText(licence: Licence, all: readonly Licence[]): Licence {
  if (licence.text !== '') return licence
  const file = TEXTS[licence.id]
  if (file !== undefined)
    return { ...licence, text: readFileSync(join(import.meta.dirname, file), 'utf8').trim() }
  const alike = all.filter(({ id, text }) => id === licence.id && text !== '')
  const [most] = [...Map.groupBy(alike, wordsOf).values()].toSorted((a, b) => b.length - a.length)
  if (most?.[0] === undefined) throw new Error(`${licence.title}: no text of this licence is known`)
  return { ...licence, text: most[0].text }
}

/** Identical licence texts appear once, under all packages that have them. */
export function groupsOf(licences: readonly Licence[]): string {
  const whole = licences.map((licence) => withText(licence, licences))
  return [...Map.groupBy(whole, wordsOf).values()]
    .map((group) => {
      const owners = group.map(({ title, copyrights }) =>
        [title, ...copyrights.map((line) => `  ${line}`)].join('\n'),
      )
      return [...owners, '', group[0]?.text ?? ''].join('\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** Folders of all packages that ship, whole or in part, below the folder of the project. */
export function folders(): readonly string[] {
  const lists = readdirSync(join(ROOT, LISTS)).flatMap((name) =>
    z.array(z.string()).parse(JSON.parse(readFileSync(join(ROOT, LISTS, name), 'utf8'))),
  )
  const all = new Set([...lists, ...SHIPPED.map((name) => `${MODEL_PACKAGES}/${name}`)])
  return [...all].toSorted()
}

/** Content of NOTICE for the build in dist/. */
export function noticeText(): string {
  const head = readFileSync(join(import.meta.dirname, 'notice-head.txt'), 'utf8').trimEnd()
  const licences = folders().map((folder) => licenceOf(join(ROOT, folder)))
  const unique = [...new Map(licences.map((each) => [each.title, each])).values()]
  return `${head}\n\n${'='.repeat(80)}\n\nThe built application and the npm package contain ${unique.length} packages, whole or in part:\n\n${groupsOf(unique)}\n`
}

if (import.meta.main) writeFileSync(join(ROOT, 'NOTICE'), noticeText())
