import { has } from '../../app/api.ts'
import { CorpusPicker } from './corpus-picker.tsx'
import { CutOffs } from './corpus-notes.tsx'

/** [U120] The corpus is made of texts: without them there is none to choose. */
export function DockTools() {
  return (
    <>
      <CutOffs />
      {has('text') && <CorpusPicker />}
    </>
  )
}
