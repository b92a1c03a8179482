import { ownOf } from '../../../core/engine/schema/own.ts'
import type { ProvenanceChange } from '../../../core/engine/schema/bundle-report.ts'
import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { bytes, counted } from '../../ui/format.ts'
import { stepName } from './lane.ts'
import { Section, SignChip, type SignLook } from '../../ui/parts.tsx'

const CHANGES: Readonly<Record<ProvenanceChange['change'], SignLook>> = {
  same: { sign: '=', words: 'same', tone: 'plain' },
  changed: { sign: '≠', words: 'changed', tone: 'warn' },
  new: { sign: '+', words: 'new', tone: 'accent' },
  gone: { sign: '−', words: 'gone', tone: 'warn' },
}

const MISSING: Readonly<Record<string, string>> = {
  FILE_NOT_FOUND: 'not there',
  UNREADABLE: 'cannot be read',
}

/** Every file that the bundle rests on: hash, size, and whether it changed since the run before. */
export function Provenance({ built }: { readonly built: BuiltStep }) {
  const { previous, bundle } = built
  const sizes = new Map(bundle.provenance.map((record) => [record.path, record]))
  const changes = new Map(previous?.provenance.map((change) => [change.path, change.change]))
  const gone = previous?.provenance.filter(({ change }) => change === 'gone') ?? []
  return (
    <Section
      title="Provenance"
      aside={previous ? `against ${stepName(previous)}` : counted(bundle.provenance.length, 'file')}
    >
      {bundle.provenance.length === 0 && gone.length === 0 ? (
        <p>This bundle rests on no file: only on the results and on the step’s own data.</p>
      ) : (
        <ul className="provenance stack gap-3">
          {[...sizes.values()].map(({ path, sha256, size_bytes }) => (
            <File
              key={path}
              path={path}
              sha256={sha256}
              size={size_bytes}
              change={changes.get(path)}
            />
          ))}
          {gone.map(({ path, before }) => (
            <File key={path} path={path} sha256={before ?? ''} size={null} change="gone" />
          ))}
        </ul>
      )}
      {!previous && (
        <p className="score-note">No run of this step stands before it in the session.</p>
      )}
    </Section>
  )
}

interface FileProps {
  readonly path: string
  readonly sha256: string
  readonly size: number | null
  readonly change: ProvenanceChange['change'] | undefined
}

function File({ path, sha256, size, change }: FileProps) {
  const missing = ownOf(MISSING, sha256)
  return (
    <li>
      <span className="mono text-code truncate" title={path}>
        {path}
      </span>
      {change && <SignChip look={CHANGES[change]} />}
      <span className="num quiet text-end">{size === null || missing ? '' : bytes(size)}</span>
      <span
        className={`mono text-code truncate dim provenance-hash${missing ? ' warn' : ''}`}
        title={sha256}
      >
        {missing ?? shortHash(sha256)}
      </span>
    </li>
  )
}

/** Enough of a hash to tell two apart; where only the end of a file was hashed, that too. */
function shortHash(sha256: string): string {
  const part = /^LAST_(\d+)_BYTES:(.*)$/u.exec(sha256)
  const hash = (part?.[2] ?? sha256).slice(0, 12)
  return part ? `${hash} (last ${bytes(Number(part[1]))})` : hash
}
