import { useRef, useState } from 'react'
import { valueOf } from './async-data.ts'
import { selectTurn } from './select.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'
import { count } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { CoachLab } from '../features/coach-lab/coach-lab.tsx'
import { CoachRun } from '../features/coach/coach-run.tsx'
import { CoachSettingsDialog } from '../features/coach/coach-settings.tsx'
import { ProbeDesk } from '../features/collections/collections.tsx'
import { ProbeLab } from '../features/probe-lab/probe-lab.tsx'
import { Playground } from '../features/playground/playground.tsx'
import { BuildDialog } from '../features/bundle/build-dialog.tsx'
import { AddFolder } from '../features/library/add-folder.tsx'
import { ExportDialog } from '../features/export/export-dialog.tsx'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'
import { ProblemsDialog } from '../features/problems/problems.tsx'
import './dialogs.css'

export function closeDialog(): void {
  patchView({ dialog: null })
}

/** The dialog that is open, if any. */
export function Dialogs() {
  const dialog = useApp((state) => state.view.dialog)
  if (dialog === 'palette') return <Palette onClose={closeDialog} />
  if (dialog === 'help') return <Help onClose={closeDialog} />
  if (dialog === 'goto') return <GoTo />
  if (dialog === 'problems') return <ProblemsDialog onClose={closeDialog} />
  if (dialog === 'playground') return <Playground onClose={closeDialog} />
  if (dialog === 'bundle') return <BuildDialog onClose={closeDialog} />
  if (dialog === 'export') return <ExportDialog onClose={closeDialog} />
  if (dialog === 'add-folder') return <AddFolder onClose={closeDialog} />
  if (dialog === 'coach') return <CoachSettingsDialog onClose={closeDialog} />
  if (dialog === 'coach-run') return <CoachRun />
  if (dialog === 'coach-lab') return <CoachLab onClose={closeDialog} />
  if (dialog === 'probe-lab') return <ProbeLab onClose={closeDialog} />
  if (dialog === 'probe-desk') return <ProbeDesk onClose={closeDialog} />
  return null
}

function GoTo() {
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.turns ?? 0)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const turn = Number(text)
  const valid = /^\d+$/u.test(text) && turn >= 1 && turn <= turns
  return (
    <Modal title="Go to turn" className="modal-small" first={input} onClose={closeDialog}>
      <form
        className="goto gap-8 flex pad-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!valid) return
          selectTurn(turn - 1)
          closeDialog()
        }}
      >
        <input
          ref={input}
          className="field"
          inputMode="numeric"
          aria-label={`Turn, 1 to ${turns}`}
          placeholder={`1 – ${count(turns)}`}
          value={text}
          aria-invalid={text !== '' && !valid}
          onChange={(event) => setText(event.target.value.trim())}
        />
        <button type="submit" className="button button-primary button-tall" disabled={!valid}>
          Go
        </button>
      </form>
    </Modal>
  )
}
