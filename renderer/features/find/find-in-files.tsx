import { Search } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../../app/use-store.ts'
import { BareInput } from '../../ui/form.tsx'
import { closeFolderFind, findInFolder } from './folder-find.ts'
import { FolderResults } from './folder-results.tsx'

/** [U6] A query over all files of the folder; Enter starts it. */
export function FindInFiles({ path }: { readonly path: string }) {
  const search = useApp((state) => state.view.folderFind)
  const [text, setText] = useState(search?.folder === path ? search.query : '')
  const problem = search?.folder === path ? search.problem : null
  return (
    <form
      className="folder-find relative"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        findInFolder(path, text)
      }}
    >
      <div className="find">
        <Search size={13} aria-hidden className="quiet" />
        <BareInput
          className="bare full-width"
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder="Find in all files, Enter starts"
          aria-label="Find in all files"
          aria-invalid={problem !== null}
          onText={(next) => {
            setText(next)
            if (next === '') closeFolderFind()
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return
            event.stopPropagation()
            setText('')
            closeFolderFind()
          }}
        />
      </div>
      {problem && (
        <p className="find-problem" role="status">
          <strong>{problem.what}</strong> <span className="mono">{problem.where}</span>
          {problem.do !== '' && ` · ${problem.do}`}
        </p>
      )}
    </form>
  )
}

/** Search results, beside the table of the folder. */
export function FoundInFiles({ path }: { readonly path: string }) {
  const searching = useApp((state) => state.view.folderFind?.folder === path)
  return (
    searching && (
      <section className="find-panel" aria-label="Results">
        <FolderResults />
      </section>
    )
  )
}
