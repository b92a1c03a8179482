import { TriangleAlert } from 'lucide-react'
import { Banner } from '../../ui/banner.tsx'
import { patchLab, useLab } from './store.ts'

/** What did not work, until it is read. */
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
