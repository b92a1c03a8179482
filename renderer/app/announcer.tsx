import { useEffect } from 'react'
import { announcementOf, titleOfWindow } from './announced.ts'
import { useSettled } from './use-query.ts'
import { useApp } from './use-store.ts'

/** Pause after the last change before it is announced, in ms: keys that step through turns would flood a reader. */
const SETTLED_MS = 400

/** [U226] [U227] Sets the title of the window, and holds the live region. The region exists from the first paint. */
export function Announcer() {
  const title = useApp(titleOfWindow)
  useEffect(() => {
    document.title = title
  }, [title])
  const said = useSettled(useApp(announcementOf), SETTLED_MS, '')
  return (
    <p className="visually-hidden" role="log" aria-label="Announcements">
      {said}
    </p>
  )
}
