import {
  type AriaAttributes,
  type ComponentProps,
  type ReactNode,
  createContext,
  useContext,
  useId,
} from 'react'
import { classes } from './button.tsx'

/** ARIA attributes from a field to its control: the name, and the error. */
const Control = createContext<AriaAttributes & { readonly id?: string }>({})

interface InputProps extends ComponentProps<'input'> {
  readonly onText: (text: string, input: HTMLInputElement) => void
}

/** One line of text. */
export function Input({ className, ...rest }: InputProps) {
  return <BareInput {...rest} className={classes('field', className)} />
}

/** A text input without a frame, for use in a box that has one. */
export function BareInput({ onText, ...rest }: InputProps) {
  const control = useContext(Control)
  return <input {...control} {...rest} onChange={({ target }) => onText(target.value, target)} />
}

interface AreaProps extends ComponentProps<'textarea'> {
  readonly onText: (text: string) => void
}

/** Several lines of text without a frame. */
export function BareArea({ onText, ...rest }: AreaProps) {
  const control = useContext(Control)
  return <textarea {...control} {...rest} onChange={(event) => onText(event.target.value)} />
}

/** Several lines of text; `area-mono` for content that is not prose. */
export function TextArea({ className, ...rest }: AreaProps) {
  const isMono = className?.includes('area-mono') === true
  return (
    <BareArea
      {...(isMono ? { spellCheck: false } : {})}
      {...rest}
      className={classes('area', className)}
    />
  )
}

interface CheckProps {
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
  readonly disabled?: boolean
  readonly title?: string
  readonly className?: string
  readonly children: ReactNode
}

/** A box to tick, with its words beside it. */
export function Check({ checked, onCheck, disabled, children, ...rest }: CheckProps) {
  return (
    <label {...rest}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheck(event.target.checked)}
      />
      {children}
    </label>
  )
}

interface SliderProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly value: number
  readonly onSlide: (value: number) => void
}

/** A number by moving a handle; from 0 in whole steps where nothing else is said. */
export function Slider({ onSlide, ...rest }: SliderProps) {
  return (
    <input
      type="range"
      min={0}
      step={1}
      {...rest}
      onChange={(event) => onSlide(Number(event.target.value))}
    />
  )
}

interface FileProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onFiles: (files: readonly File[]) => void
}

/** Input for the operator's files. The same files can be chosen again. The input is hidden, and its label is shown. */
export function FileInput({ onFiles, ...rest }: FileProps) {
  return (
    <input
      {...rest}
      type="file"
      className="visually-hidden"
      onChange={(event) => {
        // The list is emptied with the field.
        const files = [...(event.target.files ?? [])]
        event.target.value = ''
        onFiles(files)
      }}
    />
  )
}

interface LabelledProps {
  readonly label: ReactNode
  readonly hidden?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A control with its label to the left. */
export function Labelled({ label, hidden = false, className, children }: LabelledProps) {
  return (
    <label className={classes('inline-field', className)}>
      <span className={hidden ? 'visually-hidden' : undefined}>{label}</span>
      {children}
    </label>
  )
}

interface ChoiceProps extends ComponentProps<'select'> {
  /** Shown to the left of the input. */
  readonly label?: string
  readonly onText: (text: string) => void
}

/** A list to choose from, as `<option>`s. */
export function ChoiceBox({ label, onText, className, ...rest }: ChoiceProps) {
  const control = useContext(Control)
  const box = (
    <select
      {...control}
      {...rest}
      className={classes('field', className)}
      onChange={(event) => onText(event.target.value)}
    />
  )
  return label === undefined ? box : <Labelled label={label}>{box}</Labelled>
}

interface SelectProps<T> extends Omit<ChoiceProps, 'value' | 'onText' | 'children'> {
  readonly value: T
  readonly options: readonly T[]
  /** Display text of an option; by default the value. */
  readonly words?: (option: T) => string
  readonly onChoose: (value: T) => void
}

/** Choice of one value; null among the options represents no choice. */
export function Select<T extends string | number | null>(props: SelectProps<T>) {
  const { value, options, words = String, onChoose, ...rest } = props
  return (
    <ChoiceBox
      {...rest}
      value={value ?? ''}
      onText={(text) => {
        const chosen = options.find((option) => String(option ?? '') === text)
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      {options.map((option) => (
        <option key={option} value={option ?? ''}>
          {words(option)}
        </option>
      ))}
    </ChoiceBox>
  )
}

interface FieldProps {
  readonly label: ReactNode
  /** To the right of the label. */
  readonly aside?: ReactNode
  readonly hint?: ReactNode
  /** Error of the field; null if it is valid. Omitted for a field that cannot be invalid. */
  readonly error?: string | null
  readonly className?: string
  readonly children: ReactNode
}

/** A control under its label, with its error. */
export function Field({ label, aside, hint, error, className, children }: FieldProps) {
  const id = useId()
  const isWrong = typeof error === 'string'
  const state = { 'aria-invalid': isWrong, 'aria-describedby': isWrong ? `${id}-wrong` : undefined }
  const control = { id, ...(error === undefined ? {} : state) }
  const name = (
    <label className="control-label" htmlFor={id}>
      {label}
    </label>
  )
  return (
    <div className={className ?? 'bare-field'}>
      {aside === undefined ? (
        name
      ) : (
        <div className="control-head">
          {name}
          {aside}
        </div>
      )}
      <Control value={control}>{children}</Control>
      {hint}
      {isWrong && (
        <p id={`${id}-wrong`} className="text-s bad" role="alert">
          ▲ {error}
        </p>
      )}
    </div>
  )
}
