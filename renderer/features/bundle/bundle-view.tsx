import { useState } from 'react'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { Chip, CopyButton, Section } from '../../ui/bits.tsx'
import { counted } from '../../ui/format.ts'
import { DiffView } from '../prompt/diff-view.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { PromptParts } from './prompt-parts-view.tsx'
import { Provenance } from './provenance.tsx'
import { BundleTree } from './tree.tsx'
import { branchesAbove, FIRST_OPEN, nodeOfPart, partOfNode } from './tree-nodes.ts'

/** Most characters of JSON that are laid out. */
const MOST_JSON = 200_000

/** A bundle: what must be known of it, its tree beside the prompt that it became, and its files. */
export function BundleView({ built }: { readonly built: BuiltStep }) {
  const { previous } = built
  return (
    <>
      <Diagnostics built={built} />
      <Linked built={built} />
      <Provenance built={built} />
      <Recorded built={built} />
      {previous && (
        <DiffView
          title={`Against ${/^\d/u.test(previous.label) ? `step ${previous.label}` : previous.label}`}
          parts={previous.diff}
          same="The prompt of the run before was the same, word for word."
        />
      )}
    </>
  )
}

/** Tree and prompt with one selection: a click on one points at its place in the other. */
function Linked({ built }: { readonly built: BuiltStep }) {
  const { bundle, parts } = built
  const [json, setJson] = useState(false)
  const [node, setNode] = useState<string | null>(null)
  const [part, setPart] = useState(-1)
  const [over, setOver] = useState<string | null>(null)
  const [overPart, setOverPart] = useState(-1)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(FIRST_OPEN))
  const choosePart = (at: number) => {
    const found = parts[at]
    setPart(at)
    const place = found ? nodeOfPart(found) : null
    if (place === null) return
    setNode(place)
    setOpen(new Set([...open, ...branchesAbove(place)]))
  }
  const pointedPart = overPart >= 0 ? overPart : over === null ? -1 : partOfNode(parts, over)
  const underPointer = parts[overPart]
  const text = JSON.stringify(bundle, null, 2)
  return (
    <div className="linked">
      <Section
        title="Bundle"
        aside={
          <>
            <span className="switch switch-small" role="group" aria-label="How the bundle is shown">
              <button type="button" aria-pressed={!json} onClick={() => setJson(false)}>
                Tree
              </button>
              <button type="button" aria-pressed={json} onClick={() => setJson(true)}>
                JSON
              </button>
            </span>
            <CopyButton text={text} what="bundle as JSON" />
          </>
        }
      >
        {json ? (
          <pre className="block bundle-json" tabIndex={0} aria-label="Bundle as JSON">
            {text.slice(0, MOST_JSON)}
            {text.length > MOST_JSON && ' …'}
          </pre>
        ) : (
          <BundleTree
            {...{ bundle, parts, open, setOpen }}
            selected={node}
            pointed={underPointer ? nodeOfPart(underPointer) : null}
            onSelect={(id) => {
              setNode(id)
              setPart(partOfNode(parts, id))
            }}
            onPoint={setOver}
          />
        )}
        {built.shortened > 0 && (
          <p className="score-note">
            {counted(built.shortened, 'long value')} shortened here; the command line prints the
            bundle whole.
          </p>
        )}
      </Section>
      <Section
        title="Rendered prompt"
        aside={
          <>
            {counted(built.report.used, 'token')}
            <CopyButton text={built.prompt} what="prompt" />
          </>
        }
      >
        <PromptParts
          built={built}
          selected={part}
          pointed={pointedPart}
          onSelect={choosePart}
          onPoint={setOverPart}
        />
      </Section>
    </div>
  )
}

/** [A4] What was really sent. */
function Recorded({ built }: { readonly built: BuiltStep }) {
  const { recorded } = built
  if (recorded === null)
    return (
      <Section title="Recorded prompt">
        <p>The recorder kept no prompt for this step, so there is nothing to compare.</p>
      </Section>
    )
  if (recorded.same)
    return (
      <Section
        title="Recorded prompt"
        aside={
          <Chip tone="good">
            <span aria-hidden>=</span> same
          </Chip>
        }
      >
        <p>What was sent is this bundle’s prompt, word for word (line ends do not count).</p>
      </Section>
    )
  return (
    <>
      <Section
        title="Recorded prompt"
        aside={
          <Chip tone="warn">
            <span aria-hidden>≠</span> different
          </Chip>
        }
      >
        <p className="warning">
          What was sent is not this bundle’s prompt: it was put together elsewhere, so the tiers and
          limits shown here did not hold for it.
        </p>
      </Section>
      <DiffView title="From what was sent to the bundle’s prompt" parts={recorded.diff} same="" />
    </>
  )
}
