import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { PaletteProps } from '../../app/feature.ts'
import { selectTurn } from '../../app/select.ts'
import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'

function turnsOf({ session }: State): number {
  return valueOf(session.replay)?.columns.turns ?? 0
}

/** The number of a turn of the session that a text says, or null. */
function turnIn(text: string, turns: number): number | null {
  const turn = Number(text)
  return /^\d+$/u.test(text) && turn >= 1 && turn <= turns ? turn : null
}

/** Prompts for a turn number and goes there. */
export function GoTo({ onClose }: { readonly onClose: () => void }) {
  const turns = useApp(turnsOf)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const turn = turnIn(text, turns)
  return (
    <Dialog title="Go to turn" className="modal-small" first={input} onClose={onClose}>
      <form
        className="goto gap-8 flex pad-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (turn === null) return
          selectTurn(turn - 1)
          onClose()
        }}
      >
        <Input
          ref={input}
          inputMode="numeric"
          aria-label={`Turn, 1 to ${turns}`}
          placeholder={`1 – ${count(turns)}`}
          value={text}
          aria-invalid={text !== '' && turn === null}
          onText={(typed) => setText(typed.trim())}
        />
        <Button className="button-tall" type="submit" kind="primary" disabled={turn === null}>
          Go
        </Button>
      </form>
    </Dialog>
  )
}

/** The palette goes to a turn whose number is typed. */
export function TurnByNumber({ text, run }: PaletteProps) {
  const turns = useApp(turnsOf)
  const turn = turnIn(text.trim(), turns)
  if (turn === null) return null
  return (
    <Command.Group heading="Turn" className="palette-group">
      <Command.Item value={`turn ${turn}`} onSelect={run(() => selectTurn(turn - 1))}>
        Go to turn {turn}
      </Command.Item>
    </Command.Group>
  )
}
