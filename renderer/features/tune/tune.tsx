import { Group, Panel, Separator } from 'react-resizable-panels'
import { useLab } from '../dock/store.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { DraftBar } from './draft-bar.tsx'
import { DraftEditor } from './editor.tsx'
import { Matches } from './matches.tsx'
import { SignalTable } from './signal-table.tsx'
import './tune.css'

/** Signals as a table and as their file, side by side; what an edit flips stands above both. */
export function TunePanel() {
  return (
    <section className="tune column full-height" aria-label="Tune">
      <DraftBar />
      <Group orientation="horizontal" className="split">
        <Panel id="signals" defaultSize="52%" minSize={300}>
          <SignalTable />
        </Panel>
        <Separator className="splitter splitter-column" aria-label="Width of the table" />
        <Panel id="editor" minSize={260}>
          <div className="column full-height">
            <EditorPart />
            <Matches />
          </div>
        </Panel>
      </Group>
    </section>
  )
}

function EditorPart() {
  const file = useLab((state) => state.file)
  const text = useLab((state) => state.text)
  if (file.status === 'failed') return <FailureNote failure={file.failure} />
  if (text === null)
    return (
      <div className="fill tune-bones content-start stack pad-16" aria-busy>
        {Array.from({ length: 7 }, (_, at) => (
          <i key={at} className="bone" />
        ))}
      </div>
    )
  return <DraftEditor text={text} />
}
