import { useState } from 'react'
import type { LintFinding } from '../../../core/engine/schema/lab.ts'
import { has } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { stream } from '../../app/question.ts'
import { Empty } from '../../ui/answered.tsx'
import { Button, Pressable } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { useLab } from '../../stores/lab/store.ts'
import { type StudyProps, LAB, Studied, useStudy } from '../../views/lab/studied.tsx'
import { shortName } from '../../ui/visible.ts'
import { act } from '../../app/tell.ts'

const TONES = { error: 'bad', warning: 'warn', info: 'plain' } as const
const ORDER = ['error', 'warning', 'info'] as const

/** Problems of signals, domains, presets and profiles: place, reason and remedy. */
export function LintView({ onBehind }: StudyProps) {
  const asked = useStudy((about) => stream('lab.lint', about, LAB))
  const [rule, setRule] = useState<string | null>(null)
  return (
    <Studied asked={asked} idle="Looking at every signal">
      {({ findings }) => {
        const rules = Map.groupBy(findings, (finding) => finding.rule)
        const shown = ORDER.flatMap((severity) =>
          findings.filter((one) => one.severity === severity && (rule ?? one.rule) === one.rule),
        )
        if (findings.length === 0) return <Empty>Nothing to say against these signals.</Empty>
        return (
          <>
            <div
              className="wrap no-shrink line-below gap-5 flex pad-8-12"
              role="group"
              aria-label="Rules"
            >
              {[null, ...rules.keys()].map((name) => (
                <Pressable
                  key={name}
                  className="rule edge text-xs dim chosen num"
                  aria-pressed={rule === name}
                  onClick={() => setRule(rule === name ? null : name)}
                >
                  {name === null
                    ? counted(findings.length, 'finding')
                    : `${name} ${count(rules.get(name)?.length ?? 0)}`}
                </Pressable>
              ))}
            </div>
            <ul className="lint">
              {shown.slice(0, MOST).map((finding) => (
                <Finding key={keyOf(finding)} finding={finding} onBehind={onBehind} />
              ))}
            </ul>
            {shown.length > MOST && (
              <p className="quiet text-s dim pad-8-12">
                The first {count(MOST)} of {count(shown.length)}: choose a rule to see its own.
              </p>
            )}
          </>
        )
      }}
    </Studied>
  )
}

const MOST = 80

function keyOf({ rule, file, domain, signal, what }: LintFinding): string {
  return `${rule} ${file} ${domain ?? ''} ${signal ?? ''} ${what}`
}

function Finding({ finding, onBehind }: StudyProps & { readonly finding: LintFinding }) {
  const { rule, severity, domain, id, signal, line, evidence } = finding
  // Lines of other files (a preset, a profile) are not in the editor.
  const isHere = useLab((state) => valueOf(state.file)?.file === finding.file)
  const name = id ?? (signal === null ? null : `signal ${signal + 1}`)
  return (
    <li className="lint-row text-s line-below gap-12 flex align-start">
      <Chip tone={TONES[severity]}>
        {severity} · {rule}
      </Chip>
      <div className="grow">
        <p>
          {domain !== null && <Domain name={domain} />}{' '}
          {name !== null && <strong>{shortName(name)}</strong>} {finding.what}
        </p>
        <p className="quiet">{finding.do}</p>
      </div>
      {evidence.length > 0 && (
        <Button
          kind="link"
          onClick={() => onBehind({ title: `${rule}: ${name ?? domain ?? ''}`, places: evidence })}
        >
          {counted(finding.count ?? evidence.length, 'turn')}
        </Button>
      )}
      {line !== null && !isHere && (
        <span className="mono quiet">
          {finding.file}, line {count(line)}
        </span>
      )}
      {line !== null && isHere && has('edit') && (
        <Button
          kind="link"
          className="mono"
          title={`${finding.file}, line ${line}: show it in the editor`}
          onClick={() => act('edit-line', line)}
        >
          line {count(line)}
        </Button>
      )}
    </li>
  )
}
