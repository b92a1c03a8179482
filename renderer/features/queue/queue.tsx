import { useEffect } from 'react'
import { measuredWords } from '../../../core/engine/lab/queue/words.ts'
import type { Measured, TurnList } from '../../../core/engine/schema/queue.ts'
import { stream } from '../../app/question.ts'
import { Computed, Empty } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { ofLab } from '../../stores/lab/basis.ts'
import { useLab } from '../../stores/lab/store.ts'
import { LAB, useAbout } from '../../views/lab/studied.tsx'
import { LabelSide } from '../../views/label/label-side.tsx'
import { Agreement } from './agreement.tsx'
import {
  type Listed,
  listing,
  openPlaces,
  patchQueue,
  precisionOf,
  stepQueue,
  useQueue,
} from './list.ts'
import { QueueList } from './queue-list.tsx'
import { TurnInHand } from './turn-in-hand.tsx'

/** Turns of one list: fifty are an hour of reading. */
const MOST = 50

const LISTS: ReadonlyArray<readonly [TurnList, string]> = [
  ['queue', 'Likely wrong'],
  ['random', 'Random 50'],
  ['disagreements', 'Disagreements'],
]

const IDLE: Readonly<Record<TurnList, string>> = {
  queue: 'Looking for turns that are likely to be wrong',
  random: 'Drawing turns at random',
  disagreements: 'Looking for turns that readers see differently',
}

/**
 * Requests the list while the panel is open. New labels do not repeat the request, because turns would move under the
 * cursor.
 */
function useListing(): void {
  const settled = useAbout()
  const list = useQueue((state) => state.list)
  const round = useQueue((state) => state.round)
  const asked = settled && JSON.stringify([settled.about, settled.epoch])
  useEffect(() => {
    if (settled === null) return
    const question = stream('queue.turns', { ...settled.about, list, most: MOST }, LAB)
    listing.show(ofLab({ ...question, key: `${round} ${settled.epoch} ${question.key}` }))
    // The question is another one when its text is: not when labels were written.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [asked, list, round])
}

/** [L81] [L83] Turns to label next, why each is here, and what labelling them has shown. */
export function QueuePanel() {
  useListing()
  const found = useQueue((state) => state.found)
  const list = useQueue((state) => state.list)
  const isReading = useLab((state) => state.corpus.status === 'loading')
  return (
    <section
      className="queue-panel takes-keys shrink-y full-height"
      aria-label="Queue"
      tabIndex={-1}
      data-takes-keys="queue"
    >
      <div className="queue-left column shrink-y line-end">
        <Head />
        {isReading ? (
          <Empty>The corpus is being read …</Empty>
        ) : (
          <Computed data={found} cancel={listing.cancel} idle={IDLE[list]}>
            {(answer) => <Body answer={answer} />}
          </Computed>
        )}
      </div>
      <TurnInHand />
      <LabelSide ofSession={false} />
    </section>
  )
}

function Head() {
  const list = useQueue((state) => state.list)
  const open = useQueue((state) => openPlaces(state).length)
  const done = useQueue((state) => state.done.size)
  const round = useQueue((state) => state.round)
  return (
    <header className="queue-head row wrap no-shrink on-panel line-below text-s gap-9 pad-6-12">
      <span className="visually-hidden" id="queue-list">
        List
      </span>
      <Switch
        labelledBy="queue-list"
        options={LISTS}
        value={list}
        onChoose={(chosen) => patchQueue({ list: chosen, at: -1 })}
      />
      <span className="num quiet" role="status">
        {count(done)} labelled, {count(open)} left
      </span>
      <Button
        small
        title="Rebuilds the list with the current labels"
        onClick={() => patchQueue({ round: round + 1 })}
      >
        Order again
      </Button>
      <Button small title="Next turn of the list without a label (n)" onClick={() => stepQueue(1)}>
        Next <kbd>n</kbd>
      </Button>
    </header>
  )
}

function Body({ answer }: { readonly answer: Listed }) {
  return (
    <>
      <Facts answer={answer} />
      {answer.items.length === 0 ? (
        <Empty>{nothingWords(answer)}</Empty>
      ) : (
        <QueueList items={answer.items} />
      )}
    </>
  )
}

function nothingWords({ list, turns }: Listed): string {
  if (turns === 0) return 'The corpus has no turn.'
  if (list === 'disagreements') return 'No turn has labels of two readers that differ.'
  return list === 'queue'
    ? 'No turn without a label gives a reason to doubt it.'
    : 'Every turn has a label.'
}

/** The basis of the list, and its precision so far. */
function Facts({ answer }: { readonly answer: Listed }) {
  const { total, items, list, readers } = answer
  const isQueue = list !== 'disagreements'
  return (
    <div className="queue-facts stack no-shrink text-xs dim line-below pad-6-12 gap-3">
      <p className="num">
        {isQueue ? 'The first' : 'To settle:'} {count(items.length)} of {counted(total, 'turn')}.{' '}
        {isQueue && secondWords(answer)}
      </p>
      {isQueue && <Worth />}
      {readers.readers.length > 1 && <Agreement readers={readers} />}
      {!isQueue && items.length > 0 && (
        <p>A label given here is what the readers settle on: it counts from then on.</p>
      )}
    </div>
  )
}

function secondWords({ opinion: { labels, note } }: Listed): string {
  if (labels === 0) return `Ordered by the rules alone: ${note ?? ''}.`
  const but = note === null ? '' : `; ${note}`
  return `Second opinion: the shipped sentence model with ${counted(labels, 'label')} of this corpus${but}. It decides nothing.`
}

/** [L83] Errors among the first 50 labelled from the queue, beside those of the random list. */
function Worth() {
  const state = useQueue((whole) => whole)
  const queue = precisionOf(state, 'queue')
  const random = precisionOf(state, 'random')
  return (
    <p className="num" title="As decided when each label was given; first 50 labels of each list">
      Wrong among labelled: queue {words(queue)}, random {words(random)}.
    </p>
  )
}

function words(share: Measured | null): string {
  return share === null || share.of === 0 ? 'no labels yet' : measuredWords(share)
}

/** Number of turns left in the list. */
export function QueueCount() {
  const open = useQueue((state) => openPlaces(state).length)
  if (open === 0) return null
  return <span className="text-xs accent num">{count(open)}</span>
}
