import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { textChanged } from '../../stores/lab/sides.ts'
import { lab } from '../../stores/lab/store.ts'
import { onSaved } from '../../app/saved.ts'
import { discardDraft, lookAgain, lookAtDraft, saveDraft } from '../../stores/drafts/draft.ts'
import { openLine, openSignal, openSignalLine } from './editor-open.ts'
import { Unsaved } from './unsaved.tsx'
import './tune.css'

const TunePanel = onDemand(async () => (await import('./tune.tsx')).TunePanel)

const changed = { words: 'with a draft', holds: () => textChanged(lab.getState()) }

export const tune: Feature = {
  needs: 'edit',
  actions: {
    'edit-signal': openSignal,
    'edit-traced-signal': ({ focus, ...signal }) => void openSignalLine(signal, focus),
    'edit-line': openLine,
  },
  start: () => {
    onSaved('domains', () => void lookAgain())
    onSaved('drafts', () => void lookAtDraft())
  },
  dockPanel: {
    id: 'tune',
    title: 'Tune',
    about: 'Signals and their file: every edit shows at once what flips',
    key: 'T',
    what: 'Tune: signals and their file',
    Aside: Unsaved,
    Panel: TunePanel,
  },
  commands: {
    Lab: {
      'save-draft': [
        'mod+s',
        'Save the draft',
        () => void saveDraft(),
        { only: changed, order: 2, does: 'writes', also: ['Save a copy'] },
      ],
      'discard-draft': [
        [],
        'Discard the draft',
        discardDraft,
        { only: changed, order: 2, does: 'deletes' },
      ],
    },
  },
}
