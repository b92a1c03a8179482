import { valueOf } from '../../app/async-data.ts'
import { ProblemList } from '../../app/problem-list.tsx'
import { useApp } from '../../app/use-store.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** The lines that could not be used: where, why, and their bytes. */
export function ProblemsDialog({ onClose }: { readonly onClose: () => void }) {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? 'this file')
  return (
    <Dialog
      title={`Lines of ${name} that could not be read`}
      className="modal-wide"
      onClose={onClose}
    >
      <ProblemList />
    </Dialog>
  )
}
