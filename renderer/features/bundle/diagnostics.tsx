import type { BundleDiagnosticCode } from '../../../core/engine/schema/bundle.ts'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { Section } from '../../ui/bits.tsx'
import { counted } from '../../ui/format.ts'

/** Diagnostics that somebody has to act on; the others are good to know. */
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

/** What a reader of the bundle must know: what to act on first. */
export function Diagnostics({ built }: { readonly built: BuiltStep }) {
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
  return /^[\w.-]*[/.]/u.test(message)
    ? message
    : message.charAt(0).toUpperCase() + message.slice(1)
}
