/**
 * When a shortcut does something: always, with a session on screen, while two presets are compared or a
 * draft flips turns, with a file that can be followed, with results of find, or with an unsaved draft.
 */
export type When = 'always' | 'session' | 'compare' | 'file' | 'find' | 'draft'

export interface Shortcut {
  /** Id of the command it runs (`commands.ts`). */
  readonly command: string
  /** `event.key`, with `mod+` for Ctrl or Cmd. Letters are case-sensitive: `J` is Shift+j. */
  readonly keys: readonly string[]
  readonly what: string
  readonly when: When
  readonly group: string
}

/** The one table of shortcuts: the handler, the `?` help, the palette and tooltips read it. */
export const SHORTCUTS = [
  row('next-turn', ['j'], 'Next turn', 'session', 'Move'),
  row('previous-turn', ['k'], 'Previous turn', 'session', 'Move'),
  row('next-user', ['J'], 'Next message of the user', 'session', 'Move'),
  row('previous-user', ['K'], 'Previous message of the user', 'session', 'Move'),
  row('next-break', ['b'], 'Next break of momentum', 'session', 'Move'),
  row('previous-break', ['B'], 'Previous break of momentum', 'session', 'Move'),
  row('next-resist', ['r'], 'Next resisted turn', 'session', 'Move'),
  row('previous-resist', ['R'], 'Previous resisted turn', 'session', 'Move'),
  row('next-flip', ['n'], 'Next flip', 'compare', 'Move'),
  row('previous-flip', ['p'], 'Previous flip', 'compare', 'Move'),
  row('next-step', ['s'], 'Next pipeline step', 'session', 'Move'),
  row('previous-step', ['S'], 'Previous pipeline step', 'session', 'Move'),
  row('goto', ['g', 'mod+g'], 'Go to a turn by its number', 'session', 'Move'),
  row('first-turn', ['Home'], 'First turn', 'session', 'Move'),
  row('last-turn', ['End'], 'Last turn', 'session', 'Move'),
  row('follow', ['F'], 'Follow the file while it is written', 'file', 'Move'),
  row('tab-decision', ['1'], 'Inspector: Decision', 'session', 'Look'),
  row('tab-why-not', ['2'], 'Inspector: Why not', 'session', 'Look'),
  row('tab-momentum', ['3'], 'Inspector: Momentum', 'session', 'Look'),
  row('tab-signals', ['4'], 'Inspector: Signals of the agent', 'session', 'Look'),
  row('tab-prompt', ['5'], 'Inspector: Prompt', 'session', 'Look'),
  row('tab-budget', ['6'], 'Inspector: Budget', 'session', 'Look'),
  row('tab-bundle', ['7'], 'Inspector: Bundle', 'session', 'Look'),
  row('tab-coach', ['8'], 'Inspector: Coach', 'session', 'Look'),
  row('tab-probe', ['9'], 'Inspector: Probe', 'session', 'Look'),
  row('tab-raw', ['0'], 'Inspector: Raw', 'session', 'Look'),
  row('show', ['f'], 'List: all events, turns, flips', 'session', 'Look'),
  row('whole-text', ['e'], 'Show the whole text of the selected event', 'session', 'Look'),
  row('find', ['/', 'mod+f'], 'Find in this session', 'session', 'Find'),
  row('find-next', ['m', 'F3'], 'Next match of find', 'find', 'Find'),
  row('find-previous', ['M'], 'Previous match of find', 'find', 'Find'),
  row('dock', ['d'], 'Open or close the dock', 'session', 'Lab'),
  row('dock-tune', ['T'], 'Tune: signals and their file', 'session', 'Lab'),
  row('dock-flips', ['i'], 'Flips of the draft', 'session', 'Lab'),
  row('dock-compare', ['w'], 'Compare two configurations', 'session', 'Lab'),
  row('dock-label', ['L'], 'Label turns', 'session', 'Lab'),
  row('dock-lab', ['h'], 'Lab: metrics, matrix, what-if, lint', 'session', 'Lab'),
  row('save-draft', ['mod+s'], 'Save the draft', 'draft', 'Lab'),
  row('palette', ['mod+k', 'mod+P'], 'Commands, turns, samples, text', 'always', 'Find'),
  row('playground', ['c'], 'Prompt playground', 'always', 'Application'),
  row('build-bundle', ['u'], 'Build a bundle…', 'always', 'Application'),
  row('export', ['x'], 'Export, with secrets taken out', 'session', 'Application'),
  row('add-folder', ['a'], 'Add a folder to the library', 'always', 'Application'),
  row('coach-lab', ['v'], 'Coach lab', 'always', 'Application'),
  row('coach-settings', ['V'], 'Coach…', 'always', 'Application'),
  row('coach-ask', ['q'], 'Ask the model about this output', 'session', 'Application'),
  row('coach-ask-all', ['Q'], 'Ask the model about all outputs', 'session', 'Application'),
  row('probe-lab', ['z'], 'Probe lab', 'always', 'Application'),
  row('probe-desk', ['Z'], 'Collections and embedders', 'always', 'Application'),
  row('probe-session', ['P'], 'Probe the messages of this session', 'session', 'Application'),
  row('open-file', ['o', 'mod+o'], 'Open a transcript', 'always', 'Application'),
  row('library', ['l'], 'Show or hide the library', 'always', 'Application'),
  row('theme-next', ['t'], 'Next theme', 'always', 'Application'),
  row('copy-link', ['y'], 'Copy a link to this turn', 'session', 'Application'),
  row('help', ['?'], 'Keyboard shortcuts', 'always', 'Application'),
] as const satisfies readonly Shortcut[]

export type CommandId = (typeof SHORTCUTS)[number]['command']

// The parameter list mirrors a row of the table.
// eslint-disable-next-line max-params -- a row of a table
function row<const Id extends string>(
  command: Id,
  keys: readonly string[],
  what: string,
  when: When,
  group: string,
): Shortcut & { readonly command: Id } {
  return { command, keys, what, when, group }
}

/** What of a keyboard event decides. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** The shortcut of a key press, or null. Inside a text field only `mod+` shortcuts count. */
export function shortcutOf(press: KeyPress, inField: boolean): (typeof SHORTCUTS)[number] | null {
  const mod = press.ctrlKey || press.metaKey
  if (press.altKey || (inField && !mod)) return null
  const name = (mod ? 'mod+' : '') + press.key
  return SHORTCUTS.find(({ keys }) => keys.includes(name)) ?? null
}

/** The keys of a command as shown to people: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function keyLabels(keys: readonly string[], mac: boolean): readonly string[] {
  return keys.map((key) =>
    key.startsWith('mod+')
      ? `${mac ? '⌘' : 'Ctrl '}${key.slice(4) === 'P' ? '⇧P' : key.slice(4).toUpperCase()}`
      : key,
  )
}
