import { DRAFT, compareOf, compareValue } from './compared.ts'
import { tell } from './tell.ts'
import { valueOf } from './async-data.ts'
import { closeDocument, openSource } from './open.ts'
import { indexOfSession } from './which-session.ts'
import { checkContent } from './linked-content.ts'
import { known, unknownIn } from './run-of-link.ts'
import { type Link, stageOf } from './link.ts'
import { runReplay, startSession } from './replay.ts'
import { selectSeq, selectTurn } from './select.ts'
import { initialState, patchView, runKey, type ShownSource, store } from './store.ts'

const { view: first } = initialState

/** [U70] Goes to the place that a link names, from any view. A session that is already open is not opened again. */
export function goTo(link: Link): void {
  tell('onLink', link, false)
  patchView({ results: link.results })
  if (link.source === null) {
    patchView(stageOf(link))
    if (store.getState().document.source !== null) closeDocument()
    return
  }
  patchView({
    tab: link.tab ?? first.tab,
    dock: link.dock,
    study: link.study ?? first.study,
    ...(link.dock === null ? {} : { lastDock: link.dock }),
    ...stageOf(link),
  })
  const { session } = store.getState()
  const index = openedAt(link.source, link)
  if (index === null) openSource(link.source, link)
  else {
    const isReplayed = chooseRunOf(link)
    sayUnknown(link)
    checkContent(link)
    patchView({ show: link.show ?? first.show })
    if (session.index !== index) startSession(index, link)
    else {
      goToEvent(link)
      tell('onPlace', link)
      if (isReplayed) runReplay()
    }
  }
}

/** The session that a link names in the file that is open; null: it has to be opened. */
function openedAt(source: ShownSource, { session, id }: Link): number | null {
  const { document } = store.getState()
  if (!isSame(document.source, source) || document.opened.status !== 'ready') return null
  if (id === null) return session
  // [L108] By its id only a session that is there can be gone to.
  const index = indexOfSession(document.opened.value.sessions, id)
  return index < 0 ? null : index
}

type Upload = Extract<ShownSource, { readonly kind: 'upload' }>

/** Identity of a source other than an upload. */
function nameOf(source: Exclude<ShownSource, Upload>): string {
  if (source.kind === 'result')
    return JSON.stringify([source.kind, source.results, source.file, source.session])
  return `${source.kind} ${source.kind === 'path' ? source.path : source.id}`
}

function isSame(a: ShownSource | null, b: ShownSource): boolean {
  if (a === null) return false
  if (a.kind !== 'upload') return b.kind !== 'upload' && nameOf(a) === nameOf(b)
  // Older links have the name alone.
  return b.kind === 'upload' && (a.upload === b.upload || (b.upload === null && a.name === b.name))
}

/** Chooses the run that a link names; true if this changes the configuration. Nothing is saved to the settings. */
function chooseRunOf(link: Link): boolean {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  if (!info) return false
  const run = {
    preset: known(info.presets, link.preset, first.run.preset) ?? view.run.preset,
    domains: known(info.domainFiles, link.domains, first.run.domains) ?? view.run.domains,
    profile: link.profile,
  }
  const before = view.compare && compareValue(view.compare, view.run)
  const isSameRun = runKey(view.run) === runKey(run)
  if (isSameRun && before === link.compare) return false
  const compare = link.compare === null ? null : compareOf(link.compare, run, info)
  const draftWanted = link.compare === DRAFT
  // A name that means nothing here is no other side than none.
  const isSameSide = !draftWanted && before === (compare && compareValue(compare, run))
  if (isSameRun && isSameSide) return false
  patchView({ run, compare, draftWanted })
  tell('onRun')
  return true
}

/** [U224] A name that is not there is not passed over in silence. */
function sayUnknown(link: Link): void {
  const { document, view } = store.getState()
  const info = valueOf(document.info)
  const notice = info && unknownIn(link, view.run, info)
  if (notice) patchView({ notice })
}

function goToEvent({ turn, event }: Link): void {
  if (turn !== null) selectTurn(turn - 1)
  else if (event !== null) selectSeq(event)
}
