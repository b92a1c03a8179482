import { isDesktop } from './api.ts'
import { valueOf } from './async-data.ts'
import { copyAsItIs, copyLink } from './copy.ts'
import { type CommandRow, type Feature, opens, type Page } from './feature.ts'
import { Help } from './help.tsx'
import { failureOf, host } from './host.ts'
import { LAYOUTS, toggleLayout } from './layouts.ts'
import { openDialog } from './open-together.ts'
import { Choices, Commands, Files, Palette } from './palette.tsx'
import { patchView, store } from './store.ts'
import { moveRegion } from './regions.ts'
import { chooseTheme, nextTheme, THEMES } from './theme.ts'

/** The native dialog if the host has one, else the browser's dialog. */
function openFile(page: Page): void {
  // Before the host has said so, the desktop shell is known by its pipe.
  if (valueOf(store.getState().document.info)?.nativeDialog ?? isDesktop()) void openDialog()
  else page.chooseFile()
}

function toggleLibrary(page: Page): void {
  const { drawer, library } = store.getState().view
  patchView(page.isNarrow() ? { drawer: !drawer } : { library: !library })
}

function closeDrawer(): boolean {
  const { drawer } = store.getState().view
  if (drawer) patchView({ drawer: false })
  return drawer
}

/** [U18] The link admits one more browser, once. It is copied without redaction, because the token is its purpose. */
async function copyBrowserLink(): Promise<void> {
  try {
    const { url } = await host().call('host.link', {})
    await copyAsItIs(url)
  } catch (error) {
    patchView({ notice: failureOf(error, 'The link') })
  }
}

/** [F122] Copies the shipped files into the workspace that the window shows, for the operator to edit. */
async function makeYours(): Promise<void> {
  try {
    const { folder, copied, kept } = await host().call('host.yours', {})
    const stayed = kept === 0 ? '' : `, ${kept} that were there stayed as they are`
    const what = `Domains, presets and prompts are yours: ${copied} files copied${stayed}`
    patchView({ notice: { what, where: folder, do: 'Edit them there, or in Tune.', isDone: true } })
  } catch (error) {
    patchView({ notice: failureOf(error, 'Make it yours') })
  }
}

const always = { always: true } as const
const onMachine = { always: true, machine: true } as const
const opening = {
  always: true,
  machine: true,
  also: ['Open another', 'Drop a transcript anywhere, or choose one'],
} as const
/** Behind the tabs. */
const last = { order: 3 } as const
/** Behind the steps from turn to turn. */
const places = { always: true, order: 2 } as const

/** Rows of the window itself, which belong to no feature. */
export const shell: Feature = {
  dialogs: { palette: Palette, help: Help },
  palette: [Commands, Choices, Files],
  escape: closeDrawer,
  commands: {
    Move: {
      back: ['alt+ArrowLeft', 'Back to where you were', ({ go }) => go(-1), places],
      forward: ['alt+ArrowRight', 'Forward again', ({ go }) => go(1), places],
      'next-region': ['F6', 'Next part of the window', () => moveRegion(1), places],
      'previous-region': ['shift+F6', 'Previous part of the window', () => moveRegion(-1), places],
    },
    Find: {
      palette: [['mod+k', 'mod+P'], 'Commands, turns, samples, text', opens('palette'), always],
    },
    Application: {
      'open-file': [['o', 'mod+o'], 'Open a transcript', openFile, opening],
      library: ['l', 'Show or hide the library', toggleLibrary, always],
      'theme-next': ['t', 'Next theme', nextTheme, always],
      'copy-link': [
        'y',
        'Copy a link to what is shown',
        (page) => void copyLink(page.link()),
        always,
      ],
      'link-browser': [[], 'Copy a link for another browser', () => void copyBrowserLink(), always],
      'make-yours': [
        [],
        'Make it yours: copy domains, presets and prompts into the workspace',
        () => void makeYours(),
        { ...onMachine, does: 'writes' },
      ],
      help: ['?', 'Keyboard shortcuts', opens('help'), always],
    },
    Look: Object.fromEntries(
      LAYOUTS.map((layout): readonly [string, CommandRow] => [
        `layout-${layout.id}`,
        [layout.key, `Layout: ${layout.title}, ${layout.about}`, () => toggleLayout(layout), last],
      ]),
    ),
    // The native menu names themes one by one.
    Menu: Object.fromEntries(
      THEMES.map((theme) => [
        `theme-${theme}`,
        [[], `Theme: ${theme}`, () => chooseTheme(theme), always],
      ]),
    ),
  },
}
