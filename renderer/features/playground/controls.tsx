import { type RefObject, useId } from 'react'
import { QueryType } from '../../../core/engine/schema/query.ts'
import type { Composed, Trial } from './compose.ts'
import { count, counted } from '../../ui/format.ts'
import { QueryFacts, QueryTitle } from '../prompt/query-summary.tsx'
import { sliderTop, variablesOf } from './trial.ts'

interface Props {
  readonly trial: Trial
  readonly change: (trial: Trial) => void
  readonly composed: Composed | null
  readonly preset: string
  readonly message: RefObject<HTMLTextAreaElement | null>
}

/** Left side: the message, its type, the budget and the variables. */
export function Controls({ trial, change, composed, preset, message }: Props) {
  const id = useId()
  return (
    <div className="playground-controls">
      <label className="control-label" htmlFor={`${id}-text`}>
        Message
      </label>
      <textarea
        ref={message}
        id={`${id}-text`}
        className="area"
        rows={4}
        value={trial.text}
        onChange={(event) => change({ ...trial, text: event.target.value })}
      />
      <label className="control-label" htmlFor={`${id}-type`}>
        Type
      </label>
      <select
        id={`${id}-type`}
        className="field select"
        value={trial.type ?? ''}
        onChange={(event) => {
          const type = QueryType.options.find((one) => one === event.target.value) ?? null
          change({ ...trial, type })
        }}
      >
        <option value="">Let it classify</option>
        {QueryType.options.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </select>
      {composed && trial.type === null && (
        <div className="playground-query stack gap-6 pad-y-8">
          <QueryTitle query={composed.query} />
          <QueryFacts query={composed.query} />
        </div>
      )}
      <BudgetControl {...{ trial, change, composed, preset }} />
      <Variables {...{ trial, change, composed }} />
    </div>
  )
}

function BudgetControl({ trial, change, composed, preset }: Omit<Props, 'message'>) {
  const id = useId()
  const set = composed?.prompt?.budget ?? 0
  const value = trial.budget ?? set
  const put = (text: string) => {
    const budget = Number(text)
    if (text !== '' && Number.isInteger(budget) && budget >= 0 && budget <= 10_000_000)
      change({ ...trial, budget })
  }
  return (
    <div className="control stack gap-6">
      <div className="control-head">
        <label className="control-label" htmlFor={id}>
          Budget in tokens
        </label>
        {trial.budget === null ? (
          <span className="quiet">as {preset} says</span>
        ) : (
          <button type="button" className="link" onClick={() => change({ ...trial, budget: null })}>
            As {preset} says
          </button>
        )}
      </div>
      <div className="budget-inputs stack center-items">
        <input
          type="range"
          aria-label="Budget"
          aria-valuetext={counted(value, 'token')}
          min={0}
          max={sliderTop(Math.max(set, value), composed?.prompt?.tokenEstimate ?? 0)}
          step={50}
          value={value}
          onChange={(event) => put(event.target.value)}
        />
        <input
          id={id}
          className="field num"
          inputMode="numeric"
          value={String(value)}
          onChange={(event) => put(event.target.value.replace(/\D/gu, ''))}
        />
      </div>
    </div>
  )
}

function Variables({ trial, change, composed }: Pick<Props, 'trial' | 'change' | 'composed'>) {
  const id = useId()
  const names = variablesOf(composed?.prompt ?? null, trial)
  if (names.length === 0) return null
  return (
    <div className="control stack gap-6">
      <div className="control-head">
        <h3 className="control-label">Variables</h3>
        <span className="quiet">{count(names.length)} used by the segments</span>
      </div>
      {names.map((name, at) => (
        <div key={name} className="variable stack text-s center-items">
          <label className="mono truncate" htmlFor={`${id}-${at}`} title={name}>
            {name}
          </label>
          <input
            id={`${id}-${at}`}
            className="field"
            placeholder="not given"
            value={trial.variables[name] ?? ''}
            onChange={(event) => {
              const variables = { ...trial.variables, [name]: event.target.value }
              change({ ...trial, variables })
            }}
          />
        </div>
      ))}
    </div>
  )
}
