import { CornerDownLeft, MessageSquarePlus, Redo2, Split, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isPage } from '../../app/api.ts'
import { commandOf, runCommand } from '../../app/commands.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, IconButton, Switch } from '../../ui/button.tsx'
import { BareArea } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { shortName } from '../../ui/visible.ts'
import { Afterwards } from './afterwards.tsx'
import { tryMessages } from './begin.ts'
import { Result } from './result.tsx'
import { addTyped, keepRest, redo, type, undo } from './state.ts'
import { type Pad, shownPad, useScratch } from './pad.ts'

/** A typed message, and the result of every stage next to it. */
export function ScratchPanel() {
  const pad = useScratch((state) => state.pad)
  const isShown = useApp((state) => shownPad(state) !== null)
  if (!isShown || pad === null) return <NoPad />
  return (
    <section className="scratch fill full-height" aria-label="Scratch">
      <Composer pad={pad} />
      <div className="scratch-said scroll" tabIndex={0} role="region" aria-label="What is decided">
        {pad.rest && <Afterwards pad={pad} />}
        <Result />
      </div>
    </section>
  )
}

/** Another session is on screen: a scratch session begins empty, or as its branch. */
function NoPad() {
  const turn = useApp(selectedTurn)
  const selected = useApp((state) => state.view.selected)
  const place = turn === null ? `event ${(selected ?? 0) + 1}` : `turn ${turn + 1}`
  const [text, setText] = useState('')
  const tryText = () => {
    if (text.trim() === '') runCommand('try-message')
    else tryMessages([text])
  }
  return (
    <section className="scratch-begin stack gap-12 pad-main" aria-label="Scratch">
      <p>
        Write a message, an agent’s output or a tool’s result, and watch score, momentum, query,
        prompt and coach while you type. This session stays as it is.
      </p>
      <BareArea
        className="scratch-first edge rounded on-panel pad-12"
        aria-label="Message to try"
        data-takes-keys="scratch"
        dir="auto"
        maxLength={200_000}
        placeholder="Type a message"
        value={text}
        onText={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          tryText()
        }}
      />
      <p className="row wrap gap-8">
        <Button disabled={selected === null} onClick={() => runCommand('branch')}>
          <Split size={14} aria-hidden /> What if {place} had been another{' '}
          <kbd>{keyOf('branch')}</kbd>
        </Button>
        <Button onClick={tryText}>
          <MessageSquarePlus size={14} aria-hidden /> Try a message alone{' '}
          <kbd>{text.trim() === '' ? keyOf('try-message') : 'Ctrl Enter'}</kbd>
        </Button>
      </p>
    </section>
  )
}

const keyOf = (id: string) => commandOf(id)?.keys[0] ?? ''

const KINDS = [
  ['user', 'Person', 'A message of a person'],
  ['agent', 'Agent', 'An output of the agent'],
  ['tool', 'Tool', 'A result of a tool'],
] as const

function Composer({ pad }: { readonly pad: Pad }) {
  const draft = useScratch((state) => state.draft)
  const isWriting = useScratch((state) => state.isWriting)
  const failure = useScratch((state) => state.failure)
  const box = useRef<HTMLTextAreaElement>(null)
  const { id } = pad
  useEffect(() => {
    const { current } = box
    current?.focus()
    // Places the cursor at the end of a restored text.
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [id])
  /** A button that goes out would take the keyboard with it. */
  const step = async (work: () => Promise<void>, left: number) => {
    if (left === 1) box.current?.focus()
    await work()
  }
  return (
    <form
      className="scratch-composer column shrink-y gap-8 pad-12 line-end"
      aria-label="Compose"
      onSubmit={(event) => {
        event.preventDefault()
        void addTyped()
      }}
    >
      {pad.from && <Fork pad={pad} />}
      <div className="row wrap gap-8">
        <Switch
          label="Who writes it"
          options={KINDS}
          value={draft.kind}
          onChoose={(kind) => type({ kind })}
        />
        <span className="grow" />
        <IconButton
          icon={Undo2}
          name={`Take the last turn back (${count(pad.written.length)} written)`}
          disabled={pad.written.length === 0}
          onClick={() => void step(undo, pad.written.length)}
        />
        <IconButton
          icon={Redo2}
          name={`Add it again (${count(pad.undone.length)} taken back)`}
          disabled={pad.undone.length === 0}
          onClick={() => void step(redo, pad.undone.length)}
        />
      </div>
      <BareArea
        ref={box}
        className="scratch-text fill edge rounded on-panel pad-12"
        aria-label="Text to try"
        data-takes-keys="scratch"
        dir="auto"
        maxLength={200_000}
        placeholder="What would the person write?"
        value={draft.text}
        onText={(text) => type({ text })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void addTyped()
        }}
      />
      {failure && <FailureNote failure={failure} />}
      <div className="row wrap gap-8">
        <Button kind="primary" type="submit" small disabled={isWriting || draft.text.trim() === ''}>
          <CornerDownLeft size={13} aria-hidden /> Add as a turn <kbd>Ctrl Enter</kbd>
        </Button>
        <span className="grow" />
        {!isPage() && (
          <Button small onClick={() => patchView({ dialog: 'keep-scratch' })}>
            Keep…
          </Button>
        )}
      </div>
    </form>
  )
}

const REST = [
  [false, 'dropped', 'The session ends with what is written'],
  [true, 'kept', 'Later turns are kept and classified again'],
] as const

/** [U162] The start of the branch, and the treatment of the later turns. */
function Fork({ pad }: { readonly pad: Pad }) {
  const { from, title, rest } = pad
  if (from === null) return null
  return (
    <div className="stack gap-6 text-s">
      <p className="quiet truncate" title={title}>
        <Split size={13} aria-hidden className="scratch-fork" /> <strong>{shortName(title)}</strong>
      </p>
      <div className="row wrap gap-8">
        <span id="scratch-rest" className="quiet">
          The {counted(from.rest, 'event')} after it:
        </span>
        <Switch labelledBy="scratch-rest" options={REST} value={rest} onChoose={keepRest} />
      </div>
    </div>
  )
}
