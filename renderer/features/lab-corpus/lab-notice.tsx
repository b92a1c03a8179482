import { TriangleAlert, X } from 'lucide-react'
import { patchLab, useLab } from './store.ts'

/** What did not work, until it is read. */
export function LabNotice() {
  const notice = useLab((state) => state.notice)
  if (!notice) return null
  return (
    <div className="banner banner-bad" role="alert">
      <TriangleAlert size={14} aria-hidden />
      <div className="grow">
        <strong>{notice.what}.</strong> {notice.where !== '' && <span>{notice.where}. </span>}
        {notice.do}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label="Dismiss"
        onClick={() => patchLab({ notice: null })}
      >
        <X size={13} aria-hidden />
      </button>
    </div>
  )
}
