import type { CorpusFlip, FlipReport } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { type Question, stream } from '../../app/question.ts'
import { createDelay } from '../../app/timing.ts'
import { jumpTo } from '../lab/corpus.ts'
import { labQuery, ofLab } from '../lab/basis.ts'
import { flipKey } from './flip-source.ts'
import { savedSide, sideInForce } from '../lab/sides.ts'
import { type FlipFilter, type FlipsView, lab, patchLab, labPlace } from '../lab/store.ts'
import { remember } from '../../ui/remember.ts'

/** [T50] Maximum delay in ms after an edit before its flips are requested, if no request is pending. */
const FRAME_MS = 30
/** An older question that has not been answered by then gives way to the newest. */
const STALE_MS = 160

const flips = labQuery<FlipReport>({ place: labPlace('flips') })

/** The draft or the corpus is another one: flips are computed soon, for the newest draft only. */
export const flipsSoon = createFlipsSoon()

function createFlipsSoon(): () => void {
  const due = createDelay()
  /** The question under way, and whether the draft has changed since it was asked. */
  let under = { at: -Infinity, isOld: false, isOver: true }
  const ask = async () => {
    due.stop()
    const corpus = valueOf(lab.getState().corpus)
    if (!corpus) return
    const mine = { at: performance.now(), isOld: false, isOver: false }
    under = mine
    await flips.ask(ofLab(flipsOf(corpus.corpus)))
    mine.isOver = true
    if (mine.isOld) due.unlessDue(() => void ask(), 0)
  }
  return () => {
    if (!under.isOver && performance.now() - under.at < STALE_MS) under.isOld = true
    else due.unlessDue(() => void ask(), FRAME_MS)
  }
}

/**
 * While the draft is invalid, only its problems are reported, and the previous report stays. [L106] If all flips take
 * time, the first ones are shown earlier.
 */
function flipsOf(corpus: string): Question<FlipReport> {
  const input = { corpus, base: savedSide(), side: sideInForce(), early: true }
  const { key, ask } = stream('lab.flips', input, { where: 'Flips' })
  return {
    key,
    ask: (on) =>
      ask({
        ...on,
        answer: ({ report, problems, configKey }) => {
          patchLab({ problems, configKey })
          if (report) on.answer(report)
          else on.ended()
        },
      }),
  }
}

/** Acceptance is of this very change: another outcome of the turn must be looked at again. */
export function acceptKey(flip: CorpusFlip): string {
  return `${flipKey(flip)} ${flip.after.primary}+${flip.after.secondary ?? ''}`
}

const PASSES: Readonly<Record<FlipFilter, (flip: CorpusFlip) => boolean>> = {
  all: () => true,
  primary: ({ fields }) => fields.includes('primary'),
  direct: ({ cause }) => cause === 'direct',
  momentum: ({ cause }) => cause === 'momentum',
  fixed: ({ verdict }) => verdict === 'fixed',
  broken: ({ verdict }) => verdict === 'broken',
}

/** Groups of the list: a title and its flips, in the order shown. */
export interface FlipGroup {
  readonly title: string
  /** Index of the session; null when grouped by cause. */
  readonly session: number | null
  readonly flips: readonly CorpusFlip[]
}

const CAUSES = [
  ['direct', 'Direct: its own signals changed'],
  ['momentum', 'By momentum: only what was carried in differs'],
] as const

/** The flips that are listed, in groups. */
export const flipGroups = remember(
  (
    report: Pick<FlipReport, 'flips'>,
    filter: FlipFilter,
    group: FlipsView['group'],
    hidden: ReadonlySet<string>,
  ): readonly FlipGroup[] => {
    const shown = report.flips.filter(
      (flip) => PASSES[filter](flip) && !hidden.has(acceptKey(flip)),
    )
    if (group === 'cause')
      return CAUSES.map(([cause, title]) => ({
        title,
        session: null,
        flips: shown.filter((flip) => flip.cause === cause),
      })).filter(({ flips }) => flips.length > 0)
    const bySession = Map.groupBy(shown, ({ session }) => session)
    return [...bySession].map(([session, flips]) => ({ title: '', session, flips }))
  },
)

const NOTHING_HIDDEN: ReadonlySet<string> = new Set()

/** The groups as the view has them now. */
export function groupsInView(): readonly FlipGroup[] {
  const { flips, flipsView } = lab.getState()
  const report = valueOf(flips)
  if (!report) return []
  const hidden = flipsView.showAccepted ? NOTHING_HIDDEN : flipsView.accepted
  return flipGroups(report, flipsView.filter, flipsView.group, hidden)
}

export function patchFlipsView(patch: Partial<FlipsView>): void {
  patchLab({ flipsView: { ...lab.getState().flipsView, ...patch } })
}

/** Moves to the next or previous listed flip and shows it. Returns false if none exists. */
export function stepFlip(by: 1 | -1): boolean {
  const all = groupsInView().flatMap(({ flips }) => flips)
  const { current } = lab.getState().flipsView
  const at = all.findIndex((flip) => flipKey(flip) === current)
  const flip = at < 0 ? all[by === 1 ? 0 : all.length - 1] : all[at + by]
  if (!flip) return false
  goToFlip(flip)
  return true
}

/** Selects a flip and shows its turn. */
export function goToFlip(flip: CorpusFlip): void {
  patchFlipsView({ current: flipKey(flip) })
  const head = valueOf(lab.getState().corpus)?.sessions[flip.session]
  if (head) jumpTo(head, flip)
}

/** [T52] Accepted flips are hidden and counted; a second call takes the acceptance back. */
export function toggleAccepted(flips: readonly CorpusFlip[]): void {
  const accepted = new Set(lab.getState().flipsView.accepted)
  const keys = flips.map(acceptKey)
  const all = keys.every((key) => accepted.has(key))
  for (const key of keys)
    if (all) accepted.delete(key)
    else accepted.add(key)
  patchFlipsView({ accepted })
}
