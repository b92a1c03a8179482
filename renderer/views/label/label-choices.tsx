import { useState } from 'react'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import { Domain } from '../../ui/domain.tsx'
import { Input, Labelled, Select } from '../../ui/form.tsx'
import { LABEL_KEYS } from '../../stores/label/label-keys.ts'
import { cycleOther, labelPrimary, patchLabel, setLabel } from '../../stores/label/labels.ts'

interface Props {
  readonly seq: number
  readonly label: TurnLabel | null
  /** The classifier's decision. */
  readonly decided: string | null
}

/** Every domain with its key: primary by a click, acceptable or forbidden by the button beside it. */
export function LabelChoices({ seq, label, decided }: Props) {
  const names = useApp(domainNames)
  return (
    <>
      <div className="label-grid stack gap-6 pad-12" role="group" aria-label="Primary of this turn">
        {names.map((name, at) => (
          <Choice
            key={name}
            seq={seq}
            label={label}
            name={name}
            hint={LABEL_KEYS[at] ?? null}
            decided={name === decided}
          />
        ))}
      </div>
      <div className="label-more row wrap gap-12">
        <SecondaryChoice seq={seq} label={label} names={names} />
        {/* Another turn has another note; the buttons stay, and with them the keyboard. */}
        <Note key={seq} seq={seq} label={label} />
        <Button
          small
          disabled={!label}
          title="Take the label away (Delete)"
          onClick={() => void setLabel(seq, null)}
        >
          Remove label
        </Button>
      </div>
    </>
  )
}

type Other = 'none' | 'acceptable' | 'forbidden'
const OTHERS: Readonly<Record<Other, { readonly sign: string; readonly words: string }>> = {
  none: { sign: '·', words: 'nothing said' },
  acceptable: { sign: '≈', words: 'acceptable' },
  forbidden: { sign: '⊘', words: 'forbidden' },
}

function otherOf(label: TurnLabel | null, name: string): Other {
  if (label?.acceptable?.includes(name)) return 'acceptable'
  return label?.forbidden?.includes(name) ? 'forbidden' : 'none'
}

interface ChoiceProps extends Pick<Props, 'seq' | 'label'> {
  readonly name: string
  readonly hint: string | null
  readonly decided: boolean
}

function Choice({ seq, label, name, hint, decided }: ChoiceProps) {
  const isPrimary = label?.primary === name
  const other = otherOf(label, name)
  const state = isPrimary ? 'primary' : other
  return (
    <div className={`label-choice edge flex on-panel rounded label-is-${state}`}>
      <Pressable
        className="label-pick row grow text-s gap-9"
        aria-pressed={isPrimary}
        title={`Primary: ${name}${hint === null ? '' : ` (${hint})`}`}
        onClick={() => labelPrimary(seq, name)}
      >
        {hint !== null && <kbd>{hint}</kbd>}
        <Domain name={name} strong={isPrimary} />
        {decided && <span className="quiet label-said push text-xs">decided</span>}
      </Pressable>
      <Pressable
        className={`label-other heavy no-shrink quiet text-center label-other-${other}`}
        disabled={!label || isPrimary}
        aria-label={`${name}: ${OTHERS[other].words}`}
        title={
          label
            ? `${OTHERS[other].words}; a click goes on: acceptable, forbidden, nothing${hint === null ? '' : ` (Shift ${hint})`}`
            : 'Choose the primary first'
        }
        onClick={() => cycleOther(seq, name)}
      >
        {OTHERS[other].sign}
      </Pressable>
    </div>
  )
}

interface SecondaryProps extends Pick<Props, 'seq' | 'label'> {
  readonly names: readonly string[]
}

const UNSAID = ''
const NONE = ' none'

function SecondaryChoice({ seq, label, names }: SecondaryProps) {
  const value = label?.secondary === null ? NONE : (label?.secondary ?? UNSAID)
  return (
    <Select
      label="Secondary"
      value={value}
      disabled={!label}
      options={[UNSAID, NONE, ...names.filter((name) => name !== label?.primary)]}
      words={(name) => (name === UNSAID ? 'nothing said' : name.trim())}
      onChoose={(chosen) => {
        const secondary = chosen === UNSAID ? undefined : chosen === NONE ? null : chosen
        patchLabel(seq, { secondary })
      }}
    />
  )
}

/** The note is written when the field is left, not with every letter. */
function Note({ seq, label }: Pick<Props, 'seq' | 'label'>) {
  const [text, setText] = useState(label?.note ?? '')
  const write = () => {
    if (text !== (label?.note ?? '')) patchLabel(seq, { note: text === '' ? undefined : text })
  }
  return (
    <Labelled label="Note" className="grow">
      <Input
        className="grow"
        value={text}
        disabled={!label}
        placeholder={label ? 'Why, for who reads this later' : ''}
        onBlur={write}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
        onText={setText}
      />
    </Labelled>
  )
}
