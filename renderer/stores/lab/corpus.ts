import { type Link, emptyLink, runLink } from '../../app/link.ts'
import { valueOf } from '../../app/async-data.ts'
import { createQuery } from '../../app/query.ts'
import { stream } from '../../app/question.ts'
import { corpusBasis } from './basis.ts'
import {
  type Corpus,
  type CorpusChoice,
  type CorpusHead,
  lab,
  labPlace,
  patchLab,
} from './store.ts'
import { openSource } from '../../app/open.ts'
import { startSession } from '../../app/replay.ts'
import { selectTurn } from '../../app/select.ts'
import { type State, patchView, store } from '../../app/store.ts'
import { wireConfig } from '../../app/wire.ts'

const corpus = createQuery({ place: labPlace('corpus') })

/** The chosen corpus. The preset says which of its events are turns (T41), so another preset reads it again. */
function questionOf(state: State, choice: CorpusChoice) {
  const { document, view } = state
  const key = choice.file ? valueOf(document.opened)?.key : undefined
  const input = {
    keys: key === undefined ? [] : [key],
    folders: [...choice.folders],
    samples: choice.samples,
    config: wireConfig(view.run),
  }
  const question = stream('lab.open', input, { where: 'Corpus' })
  const basis = corpusBasis(state, choice)
  return { ...question, key: basis, basis }
}

/** Opens the chosen corpus, unless it is the one that is open already. */
export function ensureCorpus(): void {
  const state = store.getState()
  const { choice } = lab.getState()
  const opened = valueOf(state.document.opened)
  corpus.expire(corpusBasis(state, choice))
  if (choice.file && (!opened?.complete || opened.sessions.length === 0)) return
  corpus.show(questionOf(state, choice))
}

/** [U220] Another file, choice or preset: the corpus before is not shown any more. */
export function expireCorpus(): void {
  corpus.expire(corpusBasis(store.getState(), lab.getState().choice))
}

/** Reads the corpus again: files or labels have changed. */
export function reopenCorpus(): void {
  corpus.leave()
  ensureCorpus()
}

/** The Cancel button: the corpus before stays. */
export function cancelCorpus(): void {
  corpus.cancel()
}

export function chooseCorpus(choice: CorpusChoice): void {
  patchLab({ choice })
  ensureCorpus()
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
  // A jump keeps what turns are decided with.
  const inOther = { ...link, ...runLink(state.view) }
  const sample = valueOf(state.document.library)?.samples.find(({ id }) => id === one.path)
  if (sample) openSource({ kind: 'sample', id: sample.id }, inOther)
  else if (one.path !== null) {
    // [I85] A link that names its source means its session, not the largest one.
    const source = { kind: 'path', path: one.path } as const
    openSource(source, { ...inOther, source })
  } else
    patchView({
      notice: {
        what: 'This session cannot be opened from here',
        where: one.title,
        do: 'It was dropped into the window and is closed: drop its file again.',
      },
    })
}
