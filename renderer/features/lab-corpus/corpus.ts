import { type Link, emptyLink } from '../../app/link.ts'
import { advanced, failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { type Corpus, type CorpusChoice, type CorpusHead, lab, patchLab } from './store.ts'
import { openSource } from '../../app/open.ts'
import { startSession } from '../../app/replay.ts'
import { selectTurn } from '../../app/select.ts'
import { type State, patchView, store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'

let cancel: (() => void) | null = null
/** What the corpus in view, or under way, was opened with. */
let openedWith = ''
let afterOpen: () => void = () => undefined

/** Called whenever another corpus is there. */
export function onCorpus(listener: () => void): void {
  afterOpen = listener
}

function questionOf(state: State, choice: CorpusChoice): string {
  const opened = choice.file ? valueOf(state.document.opened) : null
  return JSON.stringify([choice, opened?.key ?? null])
}

/** Opens the chosen corpus, unless it is the one that is open already. */
export function ensureCorpus(): void {
  const state = store.getState()
  const { choice } = lab.getState()
  const opened = valueOf(state.document.opened)
  if (choice.file && (!opened?.complete || opened.sessions.length === 0)) return
  const question = questionOf(state, choice)
  if (question === openedWith) return
  openCorpus(question)
}

/** Reads the corpus again: files or labels have changed. */
export function reopenCorpus(): void {
  openedWith = ''
  ensureCorpus()
}

function openCorpus(question: string): void {
  cancel?.()
  openedWith = question
  const state = store.getState()
  const { choice, corpus } = lab.getState()
  const opened = valueOf(state.document.opened)
  patchLab({ corpus: loading(corpus) })
  cancel = host().subscribe(
    'lab.open',
    {
      keys: choice.file && opened ? [opened.key] : [],
      folders: [...choice.folders],
      samples: choice.samples,
      config: wireConfig(state.view.run),
    },
    {
      next: (message) => {
        if (message.kind === 'progress')
          patchLab({ corpus: advanced(lab.getState().corpus, message) })
        else {
          patchLab({ corpus: ready(message) })
          afterOpen()
        }
      },
      error: (error) =>
        patchLab({ corpus: failed(failureOf(error, 'Corpus'), lab.getState().corpus) }),
      end: () => {
        cancel = null
      },
    },
  )
}

/** The Cancel button: the corpus before stays. */
export function cancelCorpus(): void {
  cancel?.()
  cancel = null
  const previous = valueOf(lab.getState().corpus)
  patchLab({ corpus: previous ? ready(previous) : idle })
}

export function chooseCorpus(choice: CorpusChoice): void {
  patchLab({ choice })
  ensureCorpus()
}

/** The lab is not looked at any more, or its host is gone. */
export function forgetCorpus(): void {
  cancel?.()
  cancel = null
  openedWith = ''
}

/** The session of the corpus that is in view, by its index there; -1 = none. */
export function sessionInView(corpus: Corpus, { document, session }: State): number {
  const opened = valueOf(document.opened)
  if (!opened) return -1
  return corpus.sessions.findIndex(
    (one) => isOpened(one, opened.key, opened.path) && one.inFile === session.index,
  )
}

function isOpened(one: CorpusHead, key: string, path: string | null): boolean {
  return one.key === key || (one.path !== null && one.path === path)
}

/** Selects a turn (0-based) of the corpus; another session, or another file, is opened first. */
export function jumpTo(one: CorpusHead, place: { readonly turn: number }): void {
  const state = store.getState()
  const opened = valueOf(state.document.opened)
  const link: Link = {
    ...emptyLink,
    session: one.inFile,
    turn: place.turn + 1,
    tab: state.view.tab,
  }
  if (opened && isOpened(one, opened.key, opened.path)) {
    if (one.inFile === state.session.index) selectTurn(place.turn)
    else startSession(one.inFile, link)
    return
  }
  const sample = valueOf(state.document.library)?.samples.find(({ id }) => id === one.path)
  if (sample) openSource({ kind: 'sample', id: sample.id }, { ...link, ...sideOf(state) })
  else if (one.path !== null)
    openSource({ kind: 'path', path: one.path }, { ...link, ...sideOf(state) })
  else
    patchView({
      notice: {
        what: 'This session cannot be opened from here',
        where: one.title,
        do: 'It was dropped into the window and is closed: drop its file again.',
      },
    })
}

/** A jump keeps what turns are decided with. */
function sideOf({ view }: State): Partial<Link> {
  return {
    preset: view.run.preset,
    domains: view.run.domains,
    profile: view.run.profile,
    compare: view.compare?.preset ?? null,
  }
}
