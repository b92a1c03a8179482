import { useMemo, useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { type RawRecord, patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button, CopyButton, Switch } from '../../ui/button.tsx'
import { bytes, count, counted } from '../../ui/format.ts'
import { indentJson } from '../../ui/indent-json.ts'
import { Block, Fact } from '../../ui/parts.tsx'
import { shortName, titleOf, visible } from '../../ui/visible.ts'

const LOOKS = [
  [true, 'Pretty'],
  [false, 'Raw'],
] as const

/** The original record of the file, with its place. */
export function RawTab() {
  const raw = useApp((state) => state.session.raw)
  const selected = useApp((state) => state.view.selected)
  return (
    <Answered
      data={raw}
      stale={({ seq }) => seq !== selected}
      className="column full-height pad raw gap-8"
    >
      {(record) => <Shown record={record} />}
    </Answered>
  )
}

function Shown({ record }: { readonly record: RawRecord }) {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? '')
  const problems = useApp((state) => valueOf(state.document.opened)?.problems ?? 0)
  const [pretty, setPretty] = useState(true)
  const shown = useMemo(() => (pretty ? indentJson(record.text) : record.text), [record, pretty])
  return (
    <>
      <dl className="raw-place text-s gap-16 flex">
        <Fact name="line" look="num">
          {count(record.line)}
        </Fact>
        <Fact name="byte" look="num">
          {count(record.offset)}
        </Fact>
        <Fact name="size" look="num">
          {bytes(record.length)}
        </Fact>
        <div className="grow">
          <dt>file</dt>
          <dd className="truncate" title={titleOf(name)}>
            {shortName(name)}
          </dd>
        </div>
      </dl>
      <div className="flex center-items">
        <Switch
          label="How the record is shown"
          options={LOOKS}
          value={pretty}
          onChoose={setPretty}
        />
        <span className="grow" />
        <CopyButton text={record.text} what="record" />
      </div>
      {record.truncated && (
        <p className="warning">The record is longer than what is shown: its first part only.</p>
      )}
      <Block label="Record" className="raw-text">
        {visible(shown)}
      </Block>
      {problems > 0 && (
        <p className="text-s">
          <Button kind="link" onClick={() => patchView({ dialog: 'problems' })}>
            {counted(problems, 'line')} of this file could not be read
          </Button>
        </p>
      )}
    </>
  )
}
