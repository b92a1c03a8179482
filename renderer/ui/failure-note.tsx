import { TriangleAlert } from 'lucide-react'
import type { Failure } from '../app/async-data.ts'

/** What went wrong, where, and what to do about it. */
export function FailureNote({ failure }: { readonly failure: Failure }) {
  return (
    <div className="failure" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p>
          <strong>{failure.what}</strong>
        </p>
        {failure.where !== '' && <p className="mono failure-where">{failure.where}</p>}
        {failure.do !== '' && <p>{failure.do}</p>}
      </div>
    </div>
  )
}
