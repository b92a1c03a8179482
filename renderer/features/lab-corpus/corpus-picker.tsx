import { ChevronDown, Database } from 'lucide-react'
import { type Work, valueOf } from '../../app/async-data.ts'
import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/form.tsx'
import { bytes, count, counted } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ProgressView, shareOf } from '../../ui/progress.tsx'
import { cancelCorpus, chooseCorpus, reopenCorpus } from '../../stores/lab/corpus.ts'
import { type Corpus, type CorpusChoice, useLab } from '../../stores/lab/store.ts'

const NO_FOLDERS: ReadonlyArray<{ readonly path: string; readonly name: string }> = []

function foldersOf(state: State) {
  return valueOf(state.folders.list) ?? NO_FOLDERS
}

/** Which turns all numbers of the dock are about: chosen here, counted on the button. */
export function CorpusPicker() {
  const choice = useLab((state) => state.choice)
  const data = useLab((state) => state.corpus)
  const corpus = valueOf(data)
  return (
    <Popover
      className="corpus-button edge shrink inline-row text-xs dim nowrap gap-7 rounded"
      title="The corpus: turns that the lab looks at"
      of="corpus-popover stack text-s gap-12"
      label="Corpus"
      side="top"
      offset={6}
      shown={
        <>
          <Database size={13} aria-hidden />
          <span className="visually-hidden">Corpus: </span>
          <span className="truncate">{choiceWords(choice)}</span>
          <span className="quiet num corpus-count" aria-busy={data.status === 'loading'}>
            {data.status === 'loading'
              ? readingWords(data)
              : corpus
                ? counted(corpus.turns, 'turn')
                : ''}
          </span>
          <ChevronDown size={12} aria-hidden />
        </>
      }
    >
      <h2 className="text-l">Corpus</h2>
      <p className="quiet">
        Every flip, count and metric of the dock is over these turns. Labels beside the files are
        read with them.
      </p>
      <Choices choice={choice} />
      <ProgressView data={data} idle="Reading the corpus" onCancel={cancelCorpus} />
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      {corpus && <CorpusFacts corpus={corpus} />}
      <Button small onClick={reopenCorpus}>
        Read again
      </Button>
    </Popover>
  )
}

/** `reading 34 %`, as far as it is known. */
function readingWords({ progress }: Work): string {
  const share = shareOf(progress)
  return share === null ? 'reading …' : `reading ${Math.floor(100 * share)} %`
}

function choiceWords({ file, folders, samples }: CorpusChoice): string {
  const parts = [
    file ? 'this file' : '',
    folders.length > 0 ? counted(folders.length, 'folder') : '',
    samples ? 'samples' : '',
  ].filter(Boolean)
  return parts.length === 0 ? 'labelled texts' : parts.join(' + ')
}

function Choices({ choice }: { readonly choice: CorpusChoice }) {
  const folders = useApp(foldersOf)
  return (
    <fieldset className="corpus-choices shrink stack gap-6">
      <legend className="visually-hidden">Sessions of the corpus</legend>
      <Choice
        label="The opened file, all its sessions"
        checked={choice.file}
        onChange={(file) => chooseCorpus({ ...choice, file })}
      />
      {folders.map(({ path, name }) => (
        <Choice
          key={path}
          label={`Folder ${name}`}
          note={path}
          checked={choice.folders.includes(path)}
          onChange={(on) => {
            const rest = choice.folders.filter((one) => one !== path)
            chooseCorpus({ ...choice, folders: on ? [...rest, path] : rest })
          }}
        />
      ))}
      <Choice
        label="The shipped samples"
        checked={choice.samples}
        onChange={(samples) => chooseCorpus({ ...choice, samples })}
      />
      <p className="quiet">With none of them: the texts of label files alone.</p>
    </fieldset>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly note?: string
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

function Choice({ label, note, checked, onChange }: ChoiceProps) {
  return (
    <Check className="corpus-choice shrink row" checked={checked} onCheck={onChange}>
      <span className="truncate">{label}</span>
      {note !== undefined && <span className="quiet mono truncate">{note}</span>}
    </Check>
  )
}

function CorpusFacts({ corpus }: { readonly corpus: Corpus }) {
  const labels = corpus.sessions.reduce((sum, one) => sum + one.labels, 0)
  return (
    <div className="stack gap-6">
      <p className="num">
        {counted(corpus.sessions.length, 'session')} · {counted(corpus.turns, 'turn')} ·{' '}
        {bytes(corpus.chars)} of text · {counted(labels, 'label')}
      </p>
      <Troubles
        title={`${counted(corpus.lost.length, 'label')} without their turn`}
        lines={corpus.lost.map(({ file, line, what }) => `${file}, line ${count(line)}: ${what}`)}
      />
      <Troubles
        title={`${counted(corpus.problems.length, 'file')} could not be read`}
        lines={corpus.problems.map(({ path, what }) => `${path}: ${what}`)}
      />
    </div>
  )
}

const MOST_LINES = 8

function Troubles({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Details className="corpus-troubles" summary={title}>
      <ul>
        {lines.slice(0, MOST_LINES).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > MOST_LINES && <li>and {count(lines.length - MOST_LINES)} more</li>}
      </ul>
    </Details>
  )
}
