import { memo } from 'react'
import { useApp } from '../../app/use-store.ts'
import { Pressable } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { WorkLine } from '../../ui/progress.tsx'
import { ResultText } from '../../views/find/excerpt-text.tsx'
import type { FolderFind, FoundFile } from '../../app/find-state.ts'
import { openInFolder } from '../../app/folder-in-view.ts'
import { cancelFolderFind } from './folder-find.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

/** Results of a folder search, listed by file as they arrive. */
export function FolderResults() {
  const search = useApp((state) => state.view.folderFind)
  if (!search)
    return (
      <>
        <p className="find-panel-head no-shrink text-s dim medium">Results</p>
        <p className="find-hints text-s quiet">Enter looks through every file of the folder.</p>
      </>
    )
  return (
    <>
      <p className="find-panel-head no-shrink text-s dim medium num" role="status">
        {headline(search)}
      </p>
      {search.done === null && (
        <div className="find-work">
          <WorkLine work={search.work} idle="Finding" onCancel={cancelFolderFind} />
        </div>
      )}
      <div className="find-scroll fill scroll relative">
        {search.found.map((file) => (
          <FileResults key={`${file.path} ${file.session}`} file={file} />
        ))}
        {search.done?.total === 0 && !search.problem && (
          <p className="find-hints text-s quiet">
            {search.done.cancelled
              ? 'Nothing was found before it was stopped.'
              : 'No file of the folder matches.'}
          </p>
        )}
      </div>
    </>
  )
}

function headline({ done, found }: FolderFind): string {
  const total = done?.total ?? found.reduce((sum, one) => sum + one.total, 0)
  const matches = counted(total, 'match', 'matches')
  if (!done) return `${matches} so far`
  const where = `in ${counted(found.length, 'session')} of ${count(done.sessions)}`
  return done.cancelled ? `${matches} ${where}, stopped before the end` : `${matches} ${where}`
}

/** Rendered once: the results of a file do not change while other files are searched. */
const FileResults = memo(function FileResults({ file }: { readonly file: FoundFile }) {
  const hidden = file.total - file.excerpts.length
  return (
    <section className="found-file" aria-label={shortName(file.name)}>
      <h3 className="found-file-head gap-8 text-s flex bold baseline" title={titleOf(file.path)}>
        <Pressable
          className="truncate"
          onClick={() => openInFolder(file.path, file.session, file.excerpts[0]?.seq ?? null)}
        >
          {shortName(file.title || file.name)}
        </Pressable>
        <span className="quiet num">{count(file.total)}</span>
      </h3>
      <p className="found-file-path quiet truncate">{shortName(file.name)}</p>
      <ul>
        {file.excerpts.map((excerpt) => (
          <li key={excerpt.seq}>
            <Pressable
              className="result pad-5-12 option column full-width clip"
              onClick={() => openInFolder(file.path, file.session, excerpt.seq)}
            >
              <ResultText
                excerpt={excerpt}
                kind={excerpt.kind}
                place={`event ${count(excerpt.seq + 1)}`}
                at={excerpt.at}
              />
            </Pressable>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="quiet found-more">
          {counted(hidden, 'more match', 'more matches')} in this session
        </p>
      )}
    </section>
  )
})
