import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ROOT } from './build.ts'

/** Layers from the weakest to the strongest, and the folder whose sheets belong to each. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  base: /^ui\/base\.css$/,
  ui: /^ui\/(?!base|theme)/,
  app: /^(?:app|timeline)\//,
  features: /^features\//,
}

/** Classes of a temporary state. A feature may combine them with its own class, as in `.card.on`. */
const STATES: ReadonlySet<string> = new Set(['on', 'over', 'good', 'bad', 'warn'])

/** Beginnings of class names that components complete: `tl-row-${kind}`. */
const COMPLETED = [
  'banner-',
  'chip-',
  'cmark-',
  'fcol-',
  'follow-',
  'label-is-',
  'label-other-',
  'phrase-',
  'segment-',
  'self-',
  'signal-',
  'soft-',
  'tl-row-',
  'tree-',
] as const

const CLASS = /\.([A-Z_a-z][\w-]*)/g

/** A list of selectors, cut at the commas that are in no brackets. */
function cut(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < list.length; at += 1) {
    if (list[at] === '(') depth += 1
    if (list[at] === ')') depth -= 1
    if (list[at] !== ',' || depth > 0) continue
    parts.push(list.slice(from, at))
    from = at + 1
  }
  parts.push(list.slice(from))
  return parts.map((selector) => selector.trim().replace(/\s+/g, ' '))
}

/** The selectors of a sheet. Names inside keyframes are no selectors. */
function selectorsOf(css: string): readonly string[] {
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/@keyframes [^{]*\{(?:[^{}]*\{[^}]*\})*\s*\}/g, '')
  return [...text.matchAll(/(?<=^|[{};])([^{};]+)\{/g)]
    .map(([, prelude = '']) => prelude.trim())
    .filter((prelude) => !prelude.startsWith('@'))
    .flatMap(cut)
}

function classesOf(selector: string): readonly string[] {
  return [...selector.matchAll(CLASS)].map(([, name = '']) => name)
}

interface Sheet {
  readonly name: string
  readonly text: string
  readonly selectors: readonly string[]
}

function files(kind: RegExp): readonly string[] {
  return readdirSync(join(ROOT, 'renderer'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => kind.test(name))
    .sort()
}

const read = (name: string) => readFileSync(join(ROOT, 'renderer', name), 'utf8')

const SHEETS: readonly Sheet[] = files(/\.css$/).map((name) => {
  const text = read(name)
  return { name, text, selectors: selectorsOf(text) }
})
const FEATURES = SHEETS.filter(({ name }) => name.startsWith('features/'))
const SHARED: ReadonlySet<string> = new Set(
  SHEETS.filter(({ name }) => !name.startsWith('features/')).flatMap(({ selectors }) =>
    selectors.flatMap(classesOf),
  ),
)

/** Classes that sheets of more than one feature name, with those features. */
function sharedByFeatures(sheets: readonly Sheet[]): readonly string[] {
  const owners = new Map<string, Set<string>>()
  for (const { name, selectors } of sheets)
    for (const one of selectors.flatMap(classesOf))
      owners.set(one, (owners.get(one) ?? new Set()).add(name))
  return [...owners]
    .filter(([one, names]) => names.size > 1 && !SHARED.has(one) && !STATES.has(one))
    .map(([one, names]) => `.${one}: ${[...names].join(', ')}`)
}

/** Selectors of a feature that hold no class of the feature itself. */
function strangers(sheets: readonly Sheet[]): readonly string[] {
  return sheets.flatMap(({ name, selectors }) =>
    selectors
      .filter((selector) => classesOf(selector).every((one) => SHARED.has(one) || STATES.has(one)))
      .map((selector) => `${name}: ${selector}`),
  )
}

/** Words of all strings in the code of the page, and the beginnings that templates complete. */
function wordsOfCode(): {
  readonly words: ReadonlySet<string>
  readonly begun: ReadonlySet<string>
} {
  const words = new Set<string>()
  const begun = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      for (const word of node.text.split(/\s+/)) words.add(word)
    if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node))
      begun.add(node.text.split(/\s+/).at(-1) ?? '')
    ts.forEachChild(node, visit)
  }
  for (const name of files(/(?<!\.test)\.tsx?$/))
    visit(ts.createSourceFile(name, read(name), ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return { words, begun }
}

describe('style sheets', () => {
  it('a sheet is in the layer of its folder', () => {
    const wrong = SHEETS.filter(({ name, text }) => {
      const layer = Object.entries(LAYERS).find(([, folder]) => folder.test(name))?.[0]
      return name !== 'ui/theme.css' && !text.startsWith(`@layer ${layer} {\n`)
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
    const order = `@layer ${Object.keys(LAYERS).join(', ')};`
    expect(SHEETS.find(({ name }) => name === 'ui/theme.css')?.text).toContain(order)
  })

  it('a class belongs to the sheet of one feature', () => {
    const sheet = (name: string, selector: string) => ({ name, text: '', selectors: [selector] })
    expect(sharedByFeatures([sheet('a', '.some .cell'), sheet('b', '.cell:hover')])).toHaveLength(1)
    expect(sharedByFeatures([sheet('a', '.some.on'), sheet('b', '.other.on')])).toEqual([])
    expect(sharedByFeatures(FEATURES)).toEqual([])
  })

  it('a feature styles what is shared only inside of its own classes', () => {
    const sheet = { name: 'a', text: '', selectors: ['.button:hover', '.some .button', '.on'] }
    expect(strangers([sheet])).toEqual(['a: .button:hover', 'a: .on'])
    expect(strangers(FEATURES)).toEqual([])
  })

  it('every class is used by a component', () => {
    const { words, begun } = wordsOfCode()
    expect(COMPLETED.filter((begin) => !begun.has(begin))).toEqual([])
    const defined = new Set(SHEETS.flatMap(({ selectors }) => selectors.flatMap(classesOf)))
    const unused = [...defined].filter(
      (one) => !words.has(one) && !COMPLETED.some((begin) => one.startsWith(begin)),
    )
    expect(unused).toEqual([])
  })
})
