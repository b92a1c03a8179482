import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  type CompletionItem,
  type YamlServer,
  startYamlServer,
  yamlDocument,
} from '../fixtures/yaml-server.ts'
import { editorSettings } from '../core/host/workspace/editor-settings.ts'

/*
 * The language server that VS Code, Neovim, Helix, Zed and others start for YAML, as a library: it reads the schemas
 * that ship from the disk, and finds them as an editor does.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))

let version = 0

/** A file of a workspace, with the place of the editor's cursor written as `‸`. */
function documentAt(path: string, marked: string) {
  const at = marked.indexOf('‸')
  const text = at < 0 ? marked : marked.slice(0, at) + marked.slice(at + 1)
  const uri = pathToFileURL(join(ROOT, path)).href
  // The server caches parsed documents by address and version.
  version += 1
  const document = yamlDocument(uri, version, text)
  return { document, position: document.positionAt(Math.max(0, at)) }
}

/** By the mapping that `init` writes, not by a line in the file. */
function configured(): YamlServer {
  const server = startYamlServer()
  const settings = JSON.parse(editorSettings('./schemas')) as {
    readonly 'yaml.schemas': Readonly<Record<string, readonly string[]>>
  }
  server.configure({
    validate: true,
    hover: true,
    completion: true,
    schemas: Object.entries(settings['yaml.schemas']).map(([schema, files]) => ({
      uri: pathToFileURL(join(ROOT, schema)).href,
      fileMatch: files.map((each) =>
        pathToFileURL(join(ROOT, each)).href.replaceAll('%5B', '[').replaceAll('%5D', ']'),
      ),
    })),
  })
  return server
}

async function hoverAt(path: string, marked: string): Promise<string> {
  const { document, position } = documentAt(path, marked)
  const hover = await configured().doHover(document, position)
  return hover?.contents.value.replaceAll('\\', '').replaceAll('&nbsp;', ' ') ?? ''
}

async function offeredAt(path: string, marked: string): Promise<readonly CompletionItem[]> {
  const { document, position } = documentAt(path, marked)
  return (await configured().doComplete(document, position, false)).items
}
const labels = (items: readonly CompletionItem[]) => items.map(({ label }) => label)

const DOMAINS = 'profiles/domains/mine.yaml'
const BUGFIX = `domains:
  - name: bugfix
`

describe('[F185] an editor shows our words', () => {
  it('hover at a field of a domain, of a signal, and at a value', async () => {
    expect(await hoverAt(DOMAINS, `${BUGFIX}    prio‸rity: 3\n    signals: []\n`)).toContain(
      'Breaks ties between equal scores: the smaller number wins.',
    )
    const signal = (marked: string) =>
      `${BUGFIX}    signals:\n      - pattern: crash\n        ${marked}\n`
    expect(await hoverAt(DOMAINS, signal('wei‸ght: 2'))).toContain('What a match adds to the score')
    expect(await hoverAt(DOMAINS, signal('dial‸ect: glob'))).toContain(
      'A path that the message names.',
    )
  })

  it('hover in presets, tours, formats, collections and rules of the coach', async () => {
    const said = await Promise.all([
      hoverAt('profiles/presets/mine.yaml', 'belief:\n  momentum‸Threshold: 3\n'),
      hoverAt('tours/mine.yaml', 'stops:\n  - turn: 1\n    pl‸ace: list\n'),
      hoverAt('profiles/formats/mine.yaml', 'label: Log\nrec‸ords: $.turns[*]\n'),
      hoverAt('profiles/collections.yaml', 'collections:\n  - name: notes\n    keyw‸ords: [a]\n'),
      hoverAt('prompts/coach/rules.yaml', 'cl‸aims: told\n'),
    ])
    expect(said[0]).toContain('Turns with one signature from which momentum is strong.')
    expect(said[1]).toContain('What the stop points at.')
    expect(said[2]).toContain('Where the records are')
    expect(said[3]).toContain('Words of a message that speak for this collection')
    expect(said[4]).toContain('It names something that a reader can look up.')
  })

  it('completion in an empty place of a domain: its fields, with our words', async () => {
    const items = await offeredAt(DOMAINS, `${BUGFIX}    ‸\n`)
    expect(labels(items)).toEqual(
      expect.arrayContaining(['priority', 'signals', 'breakMinSignals', 'enrichment_template']),
    )
    const found = items.find(({ label }) => label === 'minScore')
    expect(JSON.stringify(found?.documentation)).toContain('Least sum of weights')
  })

  it('completion of a value: each with what it means', async () => {
    const items = await offeredAt(
      DOMAINS,
      `${BUGFIX}    signals:\n      - pattern: crash\n        dialect: ‸\n`,
    )
    expect(labels(items)).toEqual(expect.arrayContaining(['python', 'js', 'keyword', 'glob']))
    const keyword = items.find(({ label }) => label === 'keyword')
    expect(JSON.stringify(keyword?.documentation)).toContain('It is no pattern')
  })

  it('completion of a list: a beginning to fill in', async () => {
    const items = await offeredAt('tours/mine.yaml', 'title: Mine\nsession: any\nstops:\n  ‸\n')
    expect(labels(items)).toContain('stop')
  })
})

describe('[F187] what ships names its schema, which lies beside it', () => {
  const yaml = ['profiles', 'prompts', 'tours'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(folder, name)),
  )

  it.each(yaml)('%s, and the server finds no fault in it', async (path) => {
    const server = startYamlServer()
    server.configure({ validate: true, hover: true })
    const text = readFileSync(join(ROOT, path), 'utf8')
    const { document } = documentAt(path, text)
    expect(await server.doValidation(document, false)).toEqual([])
    const named = /^# yaml-language-server: \$schema=(\S+)$/mu.exec(text)?.[1] ?? ''
    const schema = readFileSync(join(ROOT, dirname(path), named), 'utf8')
    const [field = ''] = Object.keys(
      (JSON.parse(schema) as { properties: object }).properties,
    ).filter((name) => new RegExp(`^${name}:`, 'mu').test(text))
    const at = text.search(new RegExp(`^${field}:`, 'mu')) + 1
    const hover = await server.doHover(document, document.positionAt(at))
    expect(JSON.stringify(hover?.contents)).toMatch(/[a-z]{3}/u)
  })

  it('a mistake is marked at its line', async () => {
    const { document } = documentAt(DOMAINS, `${BUGFIX}    prioritty: 3\n    signals: []\n`)
    const found = await configured().doValidation(document, false)
    expect(found.map(({ message, range }) => [message, range.start.line])).toEqual([
      ['Property prioritty is not allowed.', 2],
    ])
  })
})
