import { isChanged } from '../../stores/lab/sides.ts'
import { useLab } from '../../stores/lab/store.ts'

/** The mark of a draft that is not saved. */
export function Unsaved() {
  const changed = useLab(isChanged)
  if (!changed) return null
  return (
    <span className="dock-unsaved">
      <span className="visually-hidden">unsaved draft</span>
    </span>
  )
}
