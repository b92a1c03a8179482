import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { compareName } from '../../app/compared.ts'
import { selectedTurn } from '../../app/selectors.ts'
import type { State } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Field, Input, Select } from '../../ui/form.tsx'
import { bytes, count } from '../../ui/format.ts'
import { visible } from '../../ui/visible.ts'
import {
  type ExportChoice,
  type MarkdownOf,
  FORMS,
  FORM_NAMES,
  markdownChosen,
  pageTurns,
} from './export.ts'

export interface ChoiceProps {
  readonly choice: ExportChoice
  readonly onChange: (choice: ExportChoice) => void
}

/** [R11] [U180] Lines for programs, a page for people, data for others. A page cannot write another page. */
export function FormChoice({ choice, onChange }: ChoiceProps) {
  const names = FORM_NAMES.filter((as) => as !== 'page' || !isPage())
  return (
    <fieldset>
      <legend className="headline">Written as</legend>
      {names.map((as) => (
        <label key={as} className="check row pointer" title={FORMS[as].about}>
          <input
            type="radio"
            name="export-form"
            checked={choice.as === as}
            onChange={() => onChange({ ...choice, as })}
          />
          <span>{FORMS[as].title}</span>
        </label>
      ))}
      <p className="text-s dim">{FORMS[choice.as].about}</p>
      {choice.as === 'page' && <PageSize />}
    </fieldset>
  )
}

/** Bytes of the workbench in a page, roughly. */
const WORKBENCH = 3_000_000

/** [U183] The page is packed while it is made: nothing knows its exact size before. */
function PageSize() {
  const size = useApp((state) => valueOf(state.document.opened)?.bytes ?? 0)
  return (
    <p className="text-s dim">
      About {bytes(WORKBENCH)} for the workbench, and the transcript ({bytes(size)} as a file)
      packed.
    </p>
  )
}

/** [U181] A turn, or the comparison in force. */
export function MarkdownChoice({ choice, onChange }: ChoiceProps) {
  const turn = useApp(selectedTurn)
  const against = useApp(againstOf)
  const can: readonly MarkdownOf[] = [
    ...(turn === null ? [] : (['turn'] as const)),
    ...(against === null ? [] : (['comparison'] as const)),
  ]
  const words: Readonly<Record<MarkdownOf, string>> = {
    turn: `turn ${count((turn ?? 0) + 1)}, the selected one`,
    comparison: `the comparison with ${visible(against ?? '')}`,
  }
  const chosen = markdownChosen(choice)
  if (chosen === null)
    return (
      <p className="text-s warn" role="status">
        There is nothing to write yet: select a turn, or compare with another preset.
      </p>
    )
  return (
    <Select
      label="Of"
      value={chosen}
      options={can}
      words={(of) => words[of]}
      onChoose={(of) => onChange({ ...choice, of })}
    />
  )
}

const againstOf = ({ view: { compare, run } }: State) => compare && compareName(compare, run)

/** [U183] The choice that `--turns` makes on the command line. */
export function TurnsChoice({ choice, onChange }: ChoiceProps) {
  const [from, to] = choice.turns
  const turns = pageTurns(choice)
  return (
    <fieldset>
      <legend className="headline">Turns of the first session</legend>
      <div className="export-turns">
        <Field label="From turn">
          <Input
            type="number"
            min={1}
            step={1}
            className="num"
            placeholder="first"
            value={from}
            onText={(text) => onChange({ ...choice, turns: [text, to] })}
          />
        </Field>
        <Field label="To turn">
          <Input
            type="number"
            min={1}
            step={1}
            className="num"
            placeholder="last"
            value={to}
            onText={(text) => onChange({ ...choice, turns: [from, text] })}
          />
        </Field>
      </div>
      {turns === undefined && (
        <p className="text-s bad" role="alert">
          ▲ These are no turns: whole numbers from 1, the first not after the last.
        </p>
      )}
      {turns && (
        <p className="text-s dim">
          Momentum begins anew at turn {count(turns[0])}, so the first decisions can differ.
          {choice.tour !== null && ' A tour is of the whole session: it stays out.'}
        </p>
      )}
    </fieldset>
  )
}
