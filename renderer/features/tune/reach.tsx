import { CornerDownLeft } from 'lucide-react'
import { useMemo } from 'react'
import type { Reach } from '../../../core/engine/schema/reach.ts'
import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { runKey } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { useQuery } from '../../app/use-query.ts'
import { Computed } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { shortCode, shortName } from '../../ui/visible.ts'
import { isChanged, sideInForce } from '../../stores/lab/sides.ts'
import { patchLab, useLab } from '../../stores/lab/store.ts'
import { REACH_GROUPS, aboutReach, reachCounts, reachSentence } from './reach-words.ts'
import { act } from '../../app/tell.ts'

/** Milliseconds without another edit before it is asked again: it takes a second or two. */
const SETTLE_MS = 500

const LISTS = [
  ['signals', 'Signals', 'Every signal with what it does'],
  ['reach', 'Reach', 'Can a message reach each domain, tie-break, gate and rule?'],
] as const

/** [U184] Switches the list left of the editor. */
export function ListSwitch() {
  const shown = useLab((state) => state.tuneList)
  return (
    <Switch
      label="List"
      options={LISTS}
      value={shown}
      onChoose={(tuneList) => patchLab({ tuneList })}
    />
  )
}

function useReach() {
  const text = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const of = useLab(({ file }) => valueOf(file)?.fingerprint ?? '')
  const run = useApp((state) => runKey(state.view.run))
  const question = useMemo(
    () => stream('draft.reach', { side: sideInForce() }, { where: 'Reach', of }),
    // The side is read from the stores: it is another one when any of these is.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [text, options, of, run],
  )
  return useQuery(question, SETTLE_MS)
}

/** [U184] For every domain, tie-break, gate and rule of momentum the messages that reach it, or the proof that none do. */
export function ReachList() {
  const asked = useReach()
  const changed = useLab(isChanged)
  const found = valueOf(asked.data)
  const listed = found?.all.filter(({ kind }) => kind !== 'signal') ?? []
  const { never, undecided } = reachCounts(listed)
  return (
    <section className="signals column full-height" aria-label="Reach">
      <div className="signals-filter row no-shrink text-s quiet line-below pad-x-12">
        <ListSwitch />
        <span className="num truncate" role="status">
          {found &&
            `${count(never)} of ${count(listed.length)} out of reach, ${count(undecided)} not decided`}
        </span>
      </div>
      {changed && (
        <p className="no-shrink text-xs quiet line-below pad-5-12">
          Found for the draft. Try decides by the files as saved: save the draft to try what it
          says.
        </p>
      )}
      <Computed {...asked} idle="Looking for messages">
        {({ all }) => (
          <div className="fill scroll" tabIndex={0} role="region" aria-label="What can be reached">
            {REACH_GROUPS.map(([kind, title, about]) => (
              <ReachGroup
                key={kind}
                title={title}
                about={about}
                rows={all.filter((one) => one.kind === kind)}
              />
            ))}
          </div>
        )}
      </Computed>
    </section>
  )
}

interface GroupProps {
  readonly title: string
  readonly about: string
  readonly rows: readonly Reach[]
}

function ReachGroup({ title, about, rows }: GroupProps) {
  return (
    <section aria-label={title}>
      <h3 className="reach-head text-xs quiet on-panel line-below pad-5-12" title={about}>
        {title} {rows.length === 0 && '· the model profile names none'}
      </h3>
      <ul className="reach-rows">
        {rows.map((row) => (
          <ReachRow key={row.name} row={row} />
        ))}
      </ul>
    </section>
  )
}

const SIGNS = { reached: '✓', never: '✕', undecided: '?' } as const
const isDomain = ({ kind }: Reach) => kind === 'domain' || kind === 'gate'

function ReachRow({ row }: { readonly row: Reach }) {
  const { status, name, off, witness } = row
  return (
    <li className="reach-row text-s line-below pad-5-12">
      <span
        className={off ? 'quiet' : `signal-reach-${status}`}
        role="img"
        aria-label={{ reached: 'reached', never: 'never', undecided: 'not decided' }[status]}
      >
        {off ? '–' : SIGNS[status]}
      </span>
      <span className="reach-name shrink">
        {isDomain(row) ? <Domain name={name} /> : <strong>{shortName(name)}</strong>}{' '}
        <span className="quiet">{aboutReach(row)}</span>
      </span>
      {status === 'reached' ? (
        <Witness texts={witness} name={name} />
      ) : (
        <span className="reach-why quiet">{reachSentence(row)}</span>
      )}
    </li>
  )
}

interface WitnessProps {
  readonly texts: readonly string[]
  /** Name of the item reached. */
  readonly name: string
}

/** Messages in order, and the button that tries them. */
export function Witness({ texts, name }: WitnessProps) {
  return (
    <span className="reach-witness row gap-8">
      <span className="truncate" title={texts.map((text) => JSON.stringify(text)).join('\n')}>
        {texts.map((text, at) => (
          <span key={at}>
            {at > 0 && <span className="quiet"> → </span>}
            <code>{shortCode(JSON.stringify(text))}</code>
          </span>
        ))}
      </span>
      {!isPage() && (
        <Button
          small
          aria-label={`Try what reaches ${shortName(name)}`}
          title={tryWords(texts.length)}
          onClick={() => act('try-messages', texts)}
        >
          <CornerDownLeft size={12} aria-hidden /> Try
        </Button>
      )}
    </span>
  )
}

function tryWords(messages: number): string {
  if (messages === 1) return 'Puts it into the text to try, in a new scratch session'
  return `A new scratch session: ${counted(messages - 1, 'message')} before, the last one in the text to try`
}
