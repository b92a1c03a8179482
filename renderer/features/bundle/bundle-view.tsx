import { useState } from 'react'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import type { BundleDiagnosticCode } from '../../../core/engine/schema/bundle.ts'
import { CopyButton, Switch } from '../../ui/button.tsx'
import { capital, counted } from '../../ui/format.ts'
import { Block, Section, SignChip } from '../../ui/parts.tsx'
import { DiffView } from '../../views/prompt/diff-view.tsx'
import { stepName } from './lane.ts'
import { PromptParts } from './prompt-parts-view.tsx'
import { Provenance } from './provenance.tsx'
import { FIRST_OPEN, branchesAbove, nodeOfPart, partOfNode } from './tree-nodes.ts'
import { BundleTree } from './tree.tsx'

/** Most characters of JSON that are laid out. */
const MOST_JSON = 200_000

/** A bundle: its diagnostics, its tree next to the resulting prompt, and its files. */
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
          title={`Against ${stepName(previous)}`}
          parts={previous.diff}
          same="The prompt of the run before was the same, word for word."
        />
      )}
    </>
  )
}

const VIEWS = [
  [false, 'Tree'],
  [true, 'JSON'],
] as const

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
            <Switch
              label="How the bundle is shown"
              className="switch-small"
              options={VIEWS}
              value={json}
              onChoose={setJson}
            />
            <CopyButton text={text} what="bundle as JSON" />
          </>
        }
      >
        {json ? (
          <Block label="Bundle as JSON" className="bundle-json">
            {text.slice(0, MOST_JSON)}
            {text.length > MOST_JSON && ' …'}
          </Block>
        ) : (
          <BundleTree
            bundle={bundle}
            parts={parts}
            open={open}
            setOpen={setOpen}
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
        aside={counted(built.report.used, 'token')}
        copy={{ text: built.prompt, what: 'prompt' }}
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

/** [A4] The prompt that was sent. */
function Recorded({ built }: { readonly built: BuiltStep }) {
  const { recorded } = built
  if (recorded === null)
    return (
      <Section title="Recorded prompt">
        <p>The recorder kept no prompt for this step, so there is nothing to compare.</p>
      </Section>
    )
  const { same, diff } = recorded
  return (
    <>
      <Section title="Recorded prompt" aside={<SignChip look={SENT[same ? 'same' : 'other']} />}>
        {same ? (
          <p>What was sent is this bundle’s prompt, word for word (line ends do not count).</p>
        ) : (
          <p className="warning">
            What was sent is not this bundle’s prompt: it was put together elsewhere, so the tiers
            and limits shown here did not hold for it.
          </p>
        )}
      </Section>
      {!same && <DiffView title="From what was sent to the bundle’s prompt" parts={diff} same="" />}
    </>
  )
}

const SENT = {
  same: { sign: '=', words: 'same', tone: 'good' },
  other: { sign: '≠', words: 'different', tone: 'warn' },
} as const

/** Diagnostics that need action. The others are informational. */
const GRAVE: ReadonlySet<BundleDiagnosticCode> = new Set([
  'manifest_missing',
  'manifest_unreadable',
  'manifest_invalid',
  'manifest_other_step',
  'state_missing',
  'state_unreadable',
  'results_empty',
  'metrics_missing',
  'grammar_fallback',
  'grammar_missing',
  'tier0_over_context',
  'tier_truncated',
  'tier_dropped',
])

/** Diagnostics of the bundle, those that need action first. */
function Diagnostics({ built }: { readonly built: BuiltStep }) {
  const all = built.bundle.diagnostics
  const sorted = all.toSorted((a, b) => Number(GRAVE.has(b.code)) - Number(GRAVE.has(a.code)))
  if (all.length === 0)
    return (
      <Section title="Diagnostics">
        <p>Nothing was missing, malformed or cut.</p>
      </Section>
    )
  return (
    <Section title="Diagnostics" aside={counted(all.length, 'diagnostic')}>
      <ul className="bundle-diagnostics stack scroll text-s gap-4">
        {sorted.map((diagnostic, at) => {
          const grave = GRAVE.has(diagnostic.code)
          return (
            <li
              key={at}
              className={grave ? 'flex gap-8 break-words' : 'flex gap-8 break-words dim'}
            >
              <span
                className={grave ? 'no-shrink text-center warn' : 'no-shrink text-center quiet'}
                aria-hidden
              >
                {grave ? '▲' : 'i'}
              </span>
              <span className="grow">
                {sentence(diagnostic.message)}
                {diagnostic.names.length > 0 && (
                  <span className="mono quiet"> {diagnostic.names.join(', ')}</span>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** A path stays as it is; other beginnings of sentences are capital. */
function sentence(message: string): string {
  return /^[\w.-]*[/.]/u.test(message) ? message : capital(message)
}
