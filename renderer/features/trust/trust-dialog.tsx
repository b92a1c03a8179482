import { useEffect, useRef, useState } from 'react'
import type { TrustState, TrustUse } from '../../../core/engine/schema/trust.ts'
import type { Failure } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { counted } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { Chip } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { answer, lookAgain } from './state.ts'
import { itemWords, leadOf, restOf, variablesOf } from './words.ts'

/** [V39] Lists everything that trust in the workspace would enable: each address, variable, driver and repository. */
export function TrustDialog({ onClose }: { readonly onClose: () => void }) {
  const trust = useApp((state) => state.document.trust)
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(lookAgain, [])
  return (
    <Dialog title="Workspace trust" className="modal-wide" onClose={onClose} first={stay}>
      <Answered data={trust} failure="above">
        {(state) => <Question state={state} stay={stay} onClose={onClose} />}
      </Answered>
    </Dialog>
  )
}

interface QuestionProps {
  readonly state: TrustState
  /** Has the focus first: an answer by accident changes nothing. */
  readonly stay: React.RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

function Question({ state, stay, onClose }: QuestionProps) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isAnswering, setAnswering] = useState(false)
  const say = async (digest: string | null) => {
    setAnswering(true)
    const failed = await answer(digest)
    setAnswering(false)
    setFailure(failed)
    if (failed === null) onClose()
  }
  return (
    <>
      <div className="trust-question scroll shrink-y stack gap-12 pad-16" tabIndex={0}>
        {failure && <FailureNote failure={failure} />}
        {state.problem !== null && <p className="warning">{visible(state.problem)}</p>}
        <p className="dim">{leadOf(state)}</p>
        <p className="mono text-s break-words">
          <Name text={state.path} />
        </p>
        {state.items.length > 0 && (
          <ul className="trust-items stack gap-8" aria-label="What the workspace names">
            {state.items.map((item) => (
              <Item key={JSON.stringify(item)} item={item} known={state.known} />
            ))}
          </ul>
        )}
      </div>
      <footer className="row wrap no-shrink line-above pad">
        <span className="quiet text-s trust-note">
          {state.standing === 'restricted' &&
            `Your answer is about all of the list (${counted(state.items.length, 'entry', 'entries')}). `}
          It is kept in your own settings, never in the workspace.
        </span>
        <span className="grow" />
        <Button
          ref={stay}
          onClick={() => {
            patchView({ trustSeen: state.digest })
            onClose()
          }}
        >
          {state.standing === 'restricted' ? 'Stay restricted' : 'Close'}
        </Button>
        {state.known && (
          <Button disabled={isAnswering} onClick={() => void say(null)}>
            Stop trusting
          </Button>
        )}
        {state.standing === 'restricted' && (
          <Button kind="primary" disabled={isAnswering} onClick={() => void say(state.digest)}>
            Trust this workspace
          </Button>
        )}
      </footer>
    </>
  )
}

interface ItemProps {
  readonly item: TrustUse
  /** True if the workspace was trusted before, so that the disabled items are new. */
  readonly known: boolean
}

function Item({ item, known }: ItemProps) {
  const { icon: Icon, title, place, means } = itemWords(item)
  const variables = variablesOf(item)
  const rest = restOf(item)
  const off = known ? 'new, off' : 'off'
  return (
    <li className="trust-item edge rounded pad-12">
      <Icon size={16} className={item.granted ? 'good' : 'warn'} aria-hidden />
      <div className="grow stack gap-3">
        <p className="row wrap gap-8">
          <strong>{title}</strong>
          {item.users.map((user) => (
            <span key={user} className="quiet text-s">
              <Name text={user} />
            </span>
          ))}
          <span className="grow" />
          <Chip tone={item.granted ? 'good' : 'warn'}>{item.granted ? 'allowed' : off}</Chip>
        </p>
        <p className="mono break-words">
          <Name text={place} />
        </p>
        {rest !== null && rest !== place && (
          <p className="mono quiet text-s break-words">
            <Name text={rest} />
          </p>
        )}
        <p className="text-s dim">{means}</p>
        {variables !== null && <p className="text-s warn">{visible(variables)}</p>}
      </div>
    </li>
  )
}
