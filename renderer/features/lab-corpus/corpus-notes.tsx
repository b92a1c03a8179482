import { TriangleAlert } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import { patchLab, useLab } from '../../stores/lab/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { counted, duration } from '../../ui/format.ts'
import { shortName } from '../../ui/visible.ts'

/** Failure in the lab, shown until the operator dismisses it. */
export function LabNotice() {
  const notice = useLab((state) => state.notice)
  if (!notice) return null
  return (
    <Banner tone="bad" icon={TriangleAlert} urgent onDismiss={() => patchLab({ notice: null })}>
      <strong>{notice.what}.</strong> {notice.where !== '' && <span>{notice.where}. </span>}
      {notice.do}
    </Banner>
  )
}

/** [T58] Numbers without the matches of a pattern that was cut off are not the whole truth: it is said. */
export function CutOffs() {
  const cutOffs = useLab((state) => valueOf(state.flips)?.cutOffs ?? null)
  if (!cutOffs || cutOffs.length === 0) return null
  const lines = cutOffs.map(
    ({ domain, pattern, chars, elapsedMs }) =>
      `${shortName(domain)}: ${pattern}, ${counted(chars, 'character')}, ${duration(elapsedMs)}`,
  )
  return (
    <span
      className="chip chip-warn"
      role="status"
      title={`They took too long on a text and count as not matched there:\n${lines.slice(0, 12).join('\n')}`}
    >
      {counted(new Set(cutOffs.map(({ pattern }) => pattern)).size, 'pattern')} cut off
    </span>
  )
}
