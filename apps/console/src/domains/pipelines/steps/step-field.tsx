import { Input, InputNumber, type InputNumberProps, Switch } from 'antd'
import { createContext, use, useId, useState, type ReactNode } from 'react'
import { t } from '../../../api/language.ts'
import styles from './steps.module.css'

/** Shared by the fields of one step. */
export interface StepPlace {
  /** `stages.0.steps.1` */
  path: string
  problems: ReadonlyMap<string, string>
  /** A save was attempted: every problem is shown, even of untouched fields. */
  tried: boolean
  readOnly: boolean
}

export const StepPlaceContext = createContext<StepPlace>({
  path: '',
  problems: new Map(),
  tried: false,
  readOnly: true,
})

export const useReadOnly = (): boolean => use(StepPlaceContext).readOnly

export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  status?: 'error'
  disabled: boolean
}

interface StepFieldProps {
  /** The field in the step; it also shows problems of nested paths. */
  name: string
  label: string
  help?: ReactNode
  optional?: boolean
  wide?: boolean
  /** The control is a group or an editor that has the label itself. */
  named?: boolean
  children: (control: ControlProps) => ReactNode
}

/** One field of a step: its label, its control, its help, and its problem once the focus has left it. */
export function StepField({ name, label, help, optional, wide, named, children }: StepFieldProps) {
  const { path, problems, tried, readOnly } = use(StepPlaceContext)
  const [left, setLeft] = useState(false)
  const id = useId()
  const here = `${path}.${name}`
  const problem = problems.get(here) ?? [...problems].find(([each]) => each.startsWith(`${here}.`))?.[1] ?? undefined
  const hasProblem = problem !== undefined && (left || tried)
  const described = [help !== undefined && `${id}-help`, hasProblem && `${id}-problem`].filter(Boolean).join(' ')
  const words = (
    <>
      {label}
      {optional && <span className="g-optional">{t('ui-optional')}</span>}
    </>
  )
  return (
    <div className={wide ? `${styles.field} ${styles.fieldWide}` : styles.field} onBlur={() => setLeft(true)}>
      {named ? <span className={styles.label}>{words}</span> : <label htmlFor={id}>{words}</label>}
      {children({
        id,
        disabled: readOnly,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(hasProblem ? { 'aria-invalid': true, status: 'error' } : {}),
      })}
      {hasProblem && (
        <p id={`${id}-problem`} className="g-bad g-small">
          {problem}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

interface ValueFieldProps<V> extends Omit<StepFieldProps, 'wide' | 'named' | 'children'> {
  value: V
  onChange: (value: V) => void
}

/** A path, a tag or another text of a program. */
export function CodeField({
  value,
  placeholder,
  onChange,
  ...field
}: ValueFieldProps<string> & { placeholder?: string }) {
  return (
    <StepField {...field}>
      {(control) => (
        <Input
          {...control}
          className="g-mono"
          spellCheck={false}
          {...(placeholder === undefined ? {} : { placeholder })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </StepField>
  )
}

type NumberFieldProps = ValueFieldProps<number | undefined> &
  Pick<InputNumberProps<number>, 'min' | 'max' | 'precision' | 'suffix'>

export function NumberField({ name, label, help, optional = false, value, onChange, ...range }: NumberFieldProps) {
  return (
    <StepField name={name} label={label} help={help} optional={optional}>
      {(control) => (
        <InputNumber
          {...control}
          {...range}
          value={value ?? null}
          onChange={(changed) => onChange(changed ?? undefined)}
        />
      )}
    </StepField>
  )
}

export function SwitchField({ value, onChange, ...field }: ValueFieldProps<boolean>) {
  return (
    <StepField {...field}>
      {({ id, disabled }) => <Switch id={id} disabled={disabled} checked={value} onChange={onChange} />}
    </StepField>
  )
}
