import type { Feature } from '../../app/feature.ts'
import { linkPart, readName } from '../../app/link.ts'
import { type State, store } from '../../app/store.ts'
import { closeFind, findAgain, findNext, goToFind, openFind } from './find.ts'
import { FindBar } from './find-bar.tsx'
import { FindInFiles, FoundInFiles } from './find-in-files.tsx'
import { FindPanel } from './find-panel.tsx'
import type { Find } from '../../app/find-state.ts'
import { TextHits } from './text-hits.tsx'
import { foundLane } from './lane-row.tsx'
import './find.css'

/** The find box while it looks for something: an empty one is not worth a word in a link. */
function asked({ view: { find: box } }: State): Find | null {
  return box === null || box.query === '' ? null : box
}

function leaveFind(): boolean {
  const isOpen = store.getState().view.find !== null
  if (isOpen) closeFind()
  return isOpen
}

const only = {
  words: 'with results',
  holds: ({ view }: State) => (view.find?.seqs.length ?? 0) > 0,
}

export const find: Feature = {
  lanes: [foundLane],
  palette: [TextHits],
  slots: {
    ListBar: FindBar,
    ListSide: FindPanel,
    FolderTool: FindInFiles,
    FolderSide: FoundInFiles,
  },
  hooks: { onPlace: goToFind, onReplayed: () => void findAgain() },
  commands: {
    Find: {
      find: [['/', 'mod+f'], 'Find in this session', (page) => openFind(!page.isNarrow())],
      'find-next': [['m', 'F3'], 'Next match of find', () => findNext(1), { only }],
      'find-previous': ['M', 'Previous match of find', () => findNext(-1), { only }],
    },
  },
  link: [
    linkPart('find', 'find', {
      read: (text) => readName(text, 2000),
      of: (state) => asked(state)?.query ?? null,
    }),
    linkPart('only', 'only', {
      read: (text) => text === '1',
      write: () => '1',
      of: (state) => asked(state)?.only ?? false,
    }),
    linkPart('in', 'scope', {
      read: (text) => (text === 'folder' ? 'folder' : 'session'),
      of: (state) => asked(state)?.scope ?? 'session',
    }),
  ],
  escape: leaveFind,
}
