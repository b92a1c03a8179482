import type { FormatPreview } from '../../../core/engine/schema/format-map.ts'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import { runCommand } from '../../app/commands.ts'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import { sourceName } from '../../app/source-name.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count, counted, timeOf } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import { shortName, visible } from '../../ui/visible.ts'
import { useOwnFormats } from './state.ts'

/** [U185] The mapping's result for the file: the first events, and the records it leaves over. */
export function Preview() {
  const source = useOwnFormats((state) => state.source)
  const data = useOwnFormats((state) => state.preview)
  return (
    <div
      className="formats-preview scroll pad-12 stack gap-12 content-start"
      tabIndex={0}
      role="region"
      aria-label="Preview"
      aria-busy={data.status === 'loading'}
    >
      {source === null ? (
        <NoFile />
      ) : (
        <>
          <h2 className="text-s medium formats-field">
            What it makes of {visible(sourceName(source))}
          </h2>
          <Made data={data} />
        </>
      )}
    </div>
  )
}

function NoFile() {
  return (
    <Empty title="No file to try it on">
      <p>Open a transcript first: the mapping is tried on the file that is open, or was refused.</p>
      <p className="mt-6">
        <Button small onClick={() => runCommand('open-file')}>
          Open a transcript
        </Button>
      </p>
    </Empty>
  )
}

function Made({ data }: { readonly data: AsyncData<FormatPreview> }) {
  const made = valueOf(data)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  if (made === null) return <p className="quiet text-s">Nothing yet.</p>
  return (
    <div className="stack gap-12" aria-live="polite">
      {made.problem && <FailureNote failure={made.problem} />}
      {made.counts.records > 0 && <Counts made={made} />}
      {made.events.length > 0 && <Events made={made} />}
      {made.counts.records > 0 && <LeftOver made={made} />}
    </div>
  )
}

interface OfPreview {
  readonly made: FormatPreview
}

const OPENS: Readonly<
  Record<FormatPreview['opens']['how'], (label: string) => readonly ['good' | 'warn', string]>
> = {
  own: () => ['good', 'match fits: the file opens with this mapping by itself, once it is saved.'],
  known: (label) => [
    'warn',
    `By itself the file opens as ${label}. “Open the file with it” reads it with this mapping all the same.`,
  ],
  none: () => [
    'warn',
    'match does not fit this file: it opens with this mapping only by “Open the file with it”.',
  ],
}

function Counts({ made: { counts, whole, opens } }: OfPreview) {
  const [tone, words] = OPENS[opens.how](opens.label)
  return (
    <div className="stack gap-6">
      <p className="num">
        <strong>{counted(counts.events, 'event')}</strong> in {counted(counts.sessions, 'session')},{' '}
        {whole ? 'from the whole file' : `from its first ${count(counts.records)} lines or items`}
      </p>
      <p className="text-s row gap-8">
        <Chip tone={tone}>{tone === 'good' ? '✓' : '▲'}</Chip>
        <span>{visible(words)}</span>
      </p>
    </div>
  )
}

function Events({ made: { events, counts } }: OfPreview) {
  return (
    <Section
      title="First events"
      aside={
        counts.events > events.length ? `${events.length} of ${count(counts.events)}` : undefined
      }
    >
      <ol className="formats-events">
        {events.map((event, at) => {
          const look = KIND_LOOKS[event.kind]
          const Icon = look.icon
          return (
            <li key={at} className="formats-event line-above pad-y-8">
              <span className="inline-row text-s" title={look.about}>
                <Icon size={13} aria-hidden className="no-shrink" />
                <strong>{look.word}</strong>
              </span>
              <div className="shrink">
                <p className={`formats-text clamp${look.mono ? ' mono text-s' : ''}`} dir="auto">
                  {visible(event.text)}
                  {event.chars > event.text.length && ' …'}
                </p>
                <p className="quiet text-xs num formats-facts">
                  line {count(event.line)} · {shortName(event.session)}
                  {event.name !== null && ` · ${shortName(event.name)}`}
                  {event.at !== null && ` · ${timeOf(event.at, true)}`}
                  {event.isError && ' · error'}
                </p>
              </div>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

/** [I142] Fields, roles and records that the mapping does not take. */
function LeftOver({ made: { fields, roles, lost, lostTotal, skipped } }: OfPreview) {
  const skips = Object.entries(skipped)
  const isNothing = fields.length + roles.length + lost.length + skips.length === 0
  return (
    <Section title="Left over" aside={isNothing ? 'nothing: every field is taken' : undefined}>
      <ul className="stack gap-6 text-s">
        {roles.map(({ role, records }) => (
          <li key={`role ${role}`}>
            <Chip tone="warn">role</Chip> <code>{visible(role)}</code> has no row in{' '}
            <code>roles</code> ({counted(records, 'record')}): it is shown under its name
          </li>
        ))}
        {lost.map(({ line, why }, at) => (
          <li key={`lost ${at}`}>
            <Chip tone="bad">record</Chip> line {count(line)}: {visible(why)}
          </li>
        ))}
        {lostTotal > lost.length && <li>and {counted(lostTotal - lost.length, 'more record')}</li>}
        {skips.map(([type, records]) => (
          <li key={`skip ${type}`}>
            <Chip>skipped</Chip> {visible(type)} ({counted(records, 'record')})
          </li>
        ))}
        {fields.map(({ path, records, example }) => (
          <li key={path} className="formats-field">
            <Chip>field</Chip> <code className="break">{visible(path)}</code>{' '}
            <span className="quiet">
              in {count(records)}, for example <span className="mono">{visible(example)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
