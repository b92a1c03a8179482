import { useMemo, useState } from 'react'
import type { LintFinding } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { useLab } from '../dock/store.ts'
import { Chip } from '../../ui/bits.tsx'
import { Domain } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import type { StudyProps } from './study-props.ts'
import { openLine } from './open-signal.ts'
import { Studied } from './studied.tsx'
import { askStream, useAbout, useAnswer } from './use-answer.ts'

const TONES = { error: 'bad', warning: 'warn', info: 'plain' } as const
const ORDER = ['error', 'warning', 'info'] as const

/** What is wrong with signals, domains, presets and profiles: where, why, and what to do. */
export function LintView({ onBehind }: StudyProps) {
  const about = useAbout()
  const ask = useMemo(() => (about ? askStream('lab.lint', about) : null), [about])
  const asked = useAnswer(ask)
  const [rule, setRule] = useState<string | null>(null)
  return (
    <Studied asked={asked} idle="Looking at every signal">
      {({ findings }) => {
        const rules = Map.groupBy(findings, (finding) => finding.rule)
        const shown = ORDER.flatMap((severity) =>
          findings.filter((one) => one.severity === severity && (rule ?? one.rule) === one.rule),
        )
        if (findings.length === 0)
          return <p className="list-empty quiet">Nothing to say against these signals.</p>
        return (
          <>
            <div
              className="wrap no-shrink line-below gap-5 flex pad-8-12"
              role="group"
              aria-label="Rules"
            >
              <RuleButton
                word={counted(findings.length, 'finding')}
                pressed={rule === null}
                onClick={() => setRule(null)}
              />
              {[...rules].map(([name, of]) => (
                <RuleButton
                  key={name}
                  word={`${name} ${count(of.length)}`}
                  pressed={rule === name}
                  onClick={() => setRule(rule === name ? null : name)}
                />
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

interface RuleProps {
  readonly word: string
  readonly pressed: boolean
  readonly onClick: () => void
}

function RuleButton({ word, pressed, onClick }: RuleProps) {
  return (
    <button
      type="button"
      className="rule edge text-xs dim chosen num"
      aria-pressed={pressed}
      onClick={onClick}
    >
      {word}
    </button>
  )
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
          {domain !== null && <Domain name={domain} />} {name !== null && <strong>{name}</strong>}{' '}
          {finding.what}
        </p>
        <p className="quiet">{finding.do}</p>
      </div>
      {evidence.length > 0 && (
        <button
          type="button"
          className="link"
          onClick={() => onBehind({ title: `${rule}: ${name ?? domain ?? ''}`, places: evidence })}
        >
          {counted(finding.count ?? evidence.length, 'turn')}
        </button>
      )}
      {line !== null && !isHere && (
        <span className="mono quiet">
          {finding.file}, line {count(line)}
        </span>
      )}
      {line !== null && isHere && (
        <button
          type="button"
          className="link mono"
          title={`${finding.file}, line ${line}: show it in the editor`}
          onClick={() => openLine(line)}
        >
          line {count(line)}
        </button>
      )}
    </li>
  )
}
