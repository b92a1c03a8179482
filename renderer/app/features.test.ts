import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS, DIALOGS, DOCK_PANELS, FEATURES, TABS } from './features.ts'
import { initialState } from './store.ts'

const ids = {
  tab: TABS.map(({ id }) => id),
  dock: DOCK_PANELS.map(({ id }) => id),
  dialog: DIALOGS.map(([name]) => name),
  command: COMMANDS.map(({ id }) => id),
}

it.each(Object.entries(ids))('gives every %s an id of its own', (_, names) =>
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]),
)

it('gives every part of the link a name of its own', () => {
  const keys = FEATURES.flatMap(({ link }) => link ?? []).map(({ key }) => key)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

/** Ids are plain strings in the source. Each id found is looked up in the feature rows. */
const NAMED = [
  ['tab', /\bchooseTab\('([\w-]+)'\)/gu],
  ['tab', /\btab(?::| ===) '([\w-]+)'/gu],
  ['dock', /\bopenDock\('([\w-]+)'\)/gu],
  ['dock', /\bdock(?::| ===) '([\w-]+)'/gu],
  ['dialog', /\bdialog(?::| ===) '([\w-]+)'/gu],
  ['command', /\brunCommand\('([\w-]+)'\)/gu],
  ['command', /<CommandButton command="([\w-]+)"/gu],
] as const

it('knows every id that the source names', () => {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const text = files
    .filter((file) => /\.tsx?$/u.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const found = NAMED.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map((match) => [kind, match[1] ?? ''] as const),
  )
  expect(found.length).toBeGreaterThan(30)
  expect(found.filter(([kind, id]) => !ids[kind].includes(id))).toEqual([])
  expect(ids.tab).toContain(initialState.view.tab)
})

/** The order that operators know. New entries may appear anywhere in between. */
const KNOWN = {
  tab: 'decision why-not momentum signals prompt budget bundle coach probe raw',
  dock: 'tune flips compare label lab',
  Move: 'next-turn previous-turn next-user previous-user next-break previous-break next-resist previous-resist next-flip previous-flip next-step previous-step goto first-turn last-turn follow',
  Look: 'tab-decision tab-why-not tab-momentum tab-signals tab-prompt tab-budget tab-bundle tab-coach tab-probe tab-raw show whole-text',
  Find: 'find find-next find-previous palette',
  Lab: 'dock dock-tune dock-flips dock-compare dock-label dock-lab save-draft',
  Application:
    'playground build-bundle export add-folder coach-lab coach-settings coach-ask coach-ask-all probe-lab collections probe-session open-file library theme-next copy-link help',
  Menu: 'theme-system theme-light theme-dark theme-contrast',
}

it.each(Object.entries(KNOWN))('lists %s in the order that people know', (list, order) => {
  const groups = Map.groupBy(COMMANDS, ({ group }) => group as string)
  const own = list === 'tab' || list === 'dock' ? ids[list] : groups.get(list)?.map(({ id }) => id)
  const known = order.split(' ')
  expect(own?.filter((id) => known.includes(id))).toEqual(known)
})
