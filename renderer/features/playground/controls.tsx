import { ownOf } from '../../../core/engine/schema/own.ts'
import { type RefObject, useId } from 'react'
import { QueryType } from '../../../core/engine/schema/query.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input, Select, Slider, TextArea } from '../../ui/form.tsx'
import { count, counted } from '../../ui/format.ts'
import { QueryFacts, QueryTitle } from '../../views/prompt/query-summary.tsx'
import { type Composed, type Trial, sliderTop, variablesOf } from './trial.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

interface Props {
  readonly trial: Trial
  readonly change: (trial: Trial) => void
  readonly composed: Composed | null
  readonly preset: string
  readonly message: RefObject<HTMLTextAreaElement | null>
}

/** Left side: the message, its type, the budget and the variables. */
export function Controls({ trial, change, composed, preset, message }: Props) {
  return (
    <div className="playground-controls">
      <Field label="Message">
        <TextArea
          ref={message}
          rows={4}
          value={trial.text}
          onText={(text) => change({ ...trial, text })}
        />
      </Field>
      <Field label="Type">
        <Select
          className="select"
          value={trial.type}
          options={[null, ...QueryType.options]}
          words={(type) => type ?? 'Let it classify'}
          onChoose={(type) => change({ ...trial, type })}
        />
      </Field>
      {composed && trial.type === null && (
        <div className="playground-query stack gap-6 pad-y-8">
          <QueryTitle query={composed.query} />
          <QueryFacts query={composed.query} />
        </div>
      )}
      <BudgetControl trial={trial} change={change} composed={composed} preset={preset} />
      <Variables trial={trial} change={change} composed={composed} />
    </div>
  )
}

function BudgetControl({ trial, change, composed, preset }: Omit<Props, 'message'>) {
  const set = composed?.prompt?.budget ?? 0
  const value = trial.budget ?? set
  const put = (text: string) => {
    const budget = Number(text)
    if (text !== '' && Number.isInteger(budget) && budget >= 0 && budget <= 10_000_000)
      change({ ...trial, budget })
  }
  return (
    <Field
      className="control stack gap-6"
      label="Budget in tokens"
      aside={
        trial.budget === null ? (
          <span className="quiet">as {preset} says</span>
        ) : (
          <Button kind="link" onClick={() => change({ ...trial, budget: null })}>
            As {preset} says
          </Button>
        )
      }
    >
      <div className="budget-inputs stack center-items">
        <Slider
          aria-label="Budget"
          aria-valuetext={counted(value, 'token')}
          max={sliderTop(Math.max(set, value), composed?.prompt?.tokenEstimate ?? 0)}
          step={50}
          value={value}
          onSlide={(budget) => put(String(budget))}
        />
        <Input
          className="num"
          inputMode="numeric"
          value={String(value)}
          onText={(text) => put(text.replace(/\D/gu, ''))}
        />
      </div>
    </Field>
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
          <label className="mono truncate" htmlFor={`${id}-${at}`} title={titleOf(name)}>
            {shortName(name)}
          </label>
          <Input
            id={`${id}-${at}`}
            placeholder="not given"
            value={ownOf(trial.variables, name) ?? ''}
            onText={(text) => {
              const variables = { ...trial.variables, [name]: text }
              change({ ...trial, variables })
            }}
          />
        </div>
      ))}
    </div>
  )
}
