import { Undo2 } from 'lucide-react'
import { useStore } from 'zustand'
import { Button } from '../../ui/button.tsx'
import { isMac } from '../../ui/platform.ts'
import { useLab } from '../../stores/lab/store.ts'
import { labelSteps, lastStep, undoLabel } from '../../stores/label/labels.ts'

/** [U223] The last change of a label in words, with the way back. */
export function UndoNote() {
  useStore(labelSteps, ({ steps }) => steps)
  useLab((state) => state.labels)
  const step = lastStep()
  if (step === null) return null
  const { before, after } = step
  const words = after === null ? `Removed ${before?.primary ?? ''}` : `Labeled ${after.primary}`
  return (
    <p className="label-undo row no-shrink text-s gap-9 on-panel line-above pad-5-12" role="status">
      <span className="truncate grow">{words}</span>
      <Button small onClick={() => void undoLabel()}>
        <Undo2 size={13} aria-hidden /> Undo <kbd>{isMac ? '⌘Z' : 'Ctrl Z'}</kbd>
      </Button>
    </p>
  )
}
