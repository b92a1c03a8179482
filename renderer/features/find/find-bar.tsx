import { ChevronDown, ChevronUp, Filter, ListFilter, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { type State, store } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { IconButton, Switch } from '../../ui/button.tsx'
import { BareInput } from '../../ui/form.tsx'
import { count } from '../../ui/format.ts'
import { folderOf } from '../../app/folder-in-view.ts'
import { CompletionList, useTools } from './completion-list.tsx'
import type { Scope } from '../../app/find-state.ts'
import { type Completion, completions, wantsTools } from '../../stores/find/find-terms.ts'
import { closeFind, find, findNext, patchFind } from './find.ts'
import { findInFolder } from './folder-find.ts'

const TYPING_MS = 150

/** Folder that "in the library" means: the one that holds the file, else the first there is. */
function folderHere(state: State): string | null {
  const folders = valueOf(state.folders.list) ?? []
  const { source } = state.document
  const holding = source?.kind === 'path' ? folderOf(source.path, folders) : null
  return (holding ?? folders[0])?.path ?? null
}

/** The find box: a query with completion, the number of matches, next and previous, and the scope. */
export function FindBar() {
  // Selects single fields. The selected result changes with every step, and only `Place` shows it.
  const isOpen = useApp((state) => state.view.find !== null)
  const only = useApp((state) => state.view.find?.only ?? false)
  const panel = useApp((state) => state.view.find?.panel ?? false)
  const scope = useApp((state) => state.view.find?.scope ?? 'session')
  const query = useApp((state) => state.view.find?.query ?? '')
  const folder = useApp(folderHere)
  const [text, setText] = useState(query)
  const [shown, setShown] = useState(query)
  // [U70] Back, Forward and other panels also set the query, so the box shows it.
  if (query !== shown) {
    setShown(query)
    if (query !== text) setText(query)
  }
  useEffect(() => {
    // The session is searched during typing, a folder on Enter. A link's query is run by the replay, which keeps the
    // link's turn.
    if (scope !== 'session' || text === store.getState().view.find?.query) return undefined
    const timer = setTimeout(() => void find(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, scope])
  if (!isOpen) return null
  const submit = (back: boolean) => {
    if (scope === 'session') {
      if (query === text) findNext(back ? -1 : 1)
      else void find(text)
    } else if (folder !== null) {
      patchFind({ query: text })
      findInFolder(folder, text)
    }
  }
  return (
    <div className="find-bar no-shrink line-below relative on-panel" role="search">
      <div className="row gap-4">
        <QueryField text={text} onText={setText} onSubmit={submit} />
        {scope === 'session' && <Place text={text} />}
        <ScopeSwitch scope={scope} hasFolder={folder !== null} />
        <IconButton
          icon={Filter}
          name="List matches only"
          aria-pressed={only}
          disabled={scope !== 'session'}
          onClick={() => patchFind({ only: !only })}
        />
        <IconButton
          icon={ListFilter}
          name="Show results"
          aria-pressed={panel}
          onClick={() => patchFind({ panel: !panel })}
        />
        <IconButton icon={X} name="Close find" onClick={closeFind} />
      </div>
      <FindProblem text={text} />
    </div>
  )
}

interface FieldProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSubmit: (back: boolean) => void
}

const NONE = -1

function QueryField({ text, onText, onSubmit }: FieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState(text.length)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(NONE)
  const scope = useApp((state) => state.view.find?.scope ?? 'session')
  const problem = useApp((state) => state.view.find?.problem ?? null)
  const domains = useApp((state) => valueOf(state.session.replay)?.columns.domains)
  const tool = useTools(wantsTools(text))
  const offered = useMemo(() => {
    const domain = (domains ?? []).map((value) => ({ value, about: '' }))
    const names = { domain, signal: domain, label: domain, held: domain, compare: domain }
    return completions(text, caret, { ...names, tool })
  }, [text, caret, domains, tool])
  const shown = open && offered.length > 0
  useEffect(() => {
    const back = document.activeElement
    input.current?.focus()
    return () => {
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])
  const take = (completion: Completion) => {
    onText(completion.text)
    setCaret(completion.text.length)
    setChosen(NONE)
    setOpen(true)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const option = offered[chosen]
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (shown && isArrow) {
      const by = event.key === 'ArrowDown' ? 1 : -1
      setChosen(((chosen + by + 1 + offered.length + 1) % (offered.length + 1)) - 1)
    } else if (isArrow) setOpen(true)
    else if (shown && option && (event.key === 'Enter' || event.key === 'Tab')) take(option)
    else if (event.key === 'Enter') {
      setOpen(false)
      onSubmit(event.shiftKey)
    } else if (event.key === 'Escape') {
      if (shown) setOpen(false)
      else closeFind()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="find">
      <Search size={13} aria-hidden className="quiet" />
      <BareInput
        ref={input}
        className="bare full-width"
        value={text}
        role="combobox"
        spellCheck={false}
        autoComplete="off"
        placeholder={
          scope === 'session'
            ? 'Words, "text", /pattern/, role:user …'
            : 'Find in all files of the folder, Enter starts'
        }
        aria-label={scope === 'session' ? 'Find in this session' : 'Find in the library'}
        aria-expanded={shown}
        aria-controls="find-completions"
        aria-autocomplete="list"
        aria-activedescendant={shown && chosen >= 0 ? `completion-${chosen}` : undefined}
        aria-invalid={problem !== null}
        aria-describedby="find-problem"
        onText={(next, { selectionStart }) => {
          onText(next)
          setCaret(selectionStart ?? next.length)
          setOpen(true)
          setChosen(NONE)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {shown && <CompletionList offered={offered} chosen={chosen} onTake={take} />}
    </div>
  )
}

/** `3 of 1,204`, and the two buttons that walk. */
function Place({ text }: { readonly text: string }) {
  const found = useApp((state) => state.view.find)
  if (!found) return null
  const { seqs, more, at, asked, problem } = found
  const settled = text !== '' && asked === text && problem === null
  const total = `${count(seqs.length)}${more ? '+' : ''}`
  const words = !settled ? '' : seqs.length === 0 ? 'none' : `${count(at + 1)} of ${total}`
  return (
    <>
      <span className="quiet num find-count text-xs nowrap text-end" role="status">
        {words}
      </span>
      <IconButton
        icon={ChevronUp}
        name="Previous result"
        title="Previous result (Shift Enter, M)"
        disabled={seqs.length === 0}
        onClick={() => findNext(-1)}
      />
      <IconButton
        icon={ChevronDown}
        name="Next result"
        title="Next result (Enter, m)"
        disabled={seqs.length === 0}
        onClick={() => findNext(1)}
      />
    </>
  )
}

const SCOPES = [
  ['session', 'Session', 'In this session'],
  ['folder', 'Library', 'In all files of the folder'],
] as const

function ScopeSwitch({ scope, hasFolder }: { readonly scope: Scope; readonly hasFolder: boolean }) {
  if (!hasFolder && scope === 'session') return null
  return (
    <Switch
      label="Where to look"
      options={SCOPES}
      value={scope}
      onChoose={(name) => patchFind({ scope: name })}
    />
  )
}

/** [U5] The error of the query, shown under the box. An empty list always has a reason. */
function FindProblem({ text }: { readonly text: string }) {
  const found = useApp((state) => state.view.find)
  const folderProblem = useApp((state) => state.view.folderFind?.problem ?? null)
  if (!found) return null
  const inSession = found.scope === 'session'
  const problem = inSession ? (found.asked === text ? found.problem : null) : folderProblem
  return (
    <div id="find-problem" aria-live="polite">
      {problem && (
        <p className="find-problem">
          <strong>{problem.what}</strong> <span className="mono">{problem.where}</span>
          {problem.do !== '' && ` · ${problem.do}`}
        </p>
      )}
      {inSession && found.cutOff > 0 && (
        <p className="find-problem">
          The pattern ran out of time on {count(found.cutOff)}{' '}
          {found.cutOff === 1 ? 'text' : 'texts'}: matches there are not listed.
        </p>
      )}
    </div>
  )
}
