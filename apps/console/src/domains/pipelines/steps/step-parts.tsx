import { Input, Select } from 'antd'
import { useState } from 'react'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'
import { PairRows } from '../definition/pair-rows.tsx'
import { StackSelect } from './stack-select.tsx'
import { NumberField, StepField, SwitchField } from './step-field.tsx'

export type Of<T extends StepInput['type']> = Extract<StepInput, { type: T }>

export interface FieldsProps<S extends StepInput> {
  step: S
  onChange: (step: S) => void
}

/** Drops optional fields that were emptied. */
export function patched<S extends object>(step: S, patch: { [K in keyof S]?: S[K] | undefined }): S {
  const next: Record<string, unknown> = { ...step, ...patch }
  for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key]
  return next as S
}

interface EnvironmentFieldProps {
  rows: readonly { name: string; value: string }[]
  help?: string
  onChange: (rows: { name: string; value: string }[]) => void
}

export function EnvironmentField({ rows, help, onChange }: EnvironmentFieldProps) {
  const label = t('pipelines-ui-environment')
  return (
    <StepField name="environment" label={label} {...(help === undefined ? {} : { help })} wide optional named>
      {() => (
        <PairRows
          label={label}
          keys={['name', 'value']}
          words={[t('pipelines-ui-name'), t('pipelines-ui-value')]}
          add={t('pipelines-ui-variable-add')}
          rows={rows}
          onChange={onChange}
        />
      )}
    </StepField>
  )
}

type Dictionary = Readonly<Record<string, string>>

interface DictionaryFieldProps {
  name: string
  label: string
  help?: string
  add: string
  value: Dictionary
  onChange: (value: Record<string, string>) => void
}

const rowsOf = (value: Dictionary) => Object.entries(value).map(([name, value]) => ({ name, value }))
const dictionaryOf = (rows: readonly { name: string; value: string }[]) =>
  Object.fromEntries(rows.map(({ name, value }) => [name, value]))

/** A dictionary as rows. Rows stay as typed, although of two with the same name the dictionary has only the last. */
export function DictionaryField({ name, label, help, add, value, onChange }: DictionaryFieldProps) {
  const [typed, setTyped] = useState(() => rowsOf(value))
  // a value from elsewhere, such as an undo, replaces the typed rows
  const rows = JSON.stringify(dictionaryOf(typed)) === JSON.stringify(value) ? typed : rowsOf(value)
  const twice = rows.find((row, at) => rows.findIndex((other) => other.name === row.name) < at)
  return (
    <StepField name={name} label={label} {...(help === undefined ? {} : { help })} wide optional named>
      {() => (
        <>
          <PairRows
            label={label}
            keys={['name', 'value']}
            words={[t('pipelines-ui-name'), t('pipelines-ui-value')]}
            add={add}
            rows={rows}
            onChange={(next) => {
              setTyped(next)
              onChange(dictionaryOf(next))
            }}
          />
          {twice !== undefined && twice.name !== '' && (
            <p className="g-bad g-small" role="status">
              {t('pipelines-variable-twice', { name: twice.name })}
            </p>
          )}
        </>
      )}
    </StepField>
  )
}

interface StackFieldProps {
  value: string
  help: string
  onChange: (stackUuid: string) => void
}

export function StackField({ value, help, onChange }: StackFieldProps) {
  return (
    <StepField name="stackUuid" label={t('pipelines-ui-stack')} help={help}>
      {({ id, disabled }) => (
        <StackSelect
          id={id}
          disabled={disabled}
          {...(value === '' ? {} : { value })}
          onChange={(stackUuid) => onChange(stackUuid ?? '')}
        />
      )}
    </StepField>
  )
}

interface ConfirmFieldProps {
  label: string
  value: boolean | undefined
  onChange: (confirm: boolean) => void
}

/** Whether an upgrade is confirmed as soon as it is ready. */
export function ConfirmField({ label, value = true, onChange }: ConfirmFieldProps) {
  return (
    <SwitchField name="confirm" label={label} help={t('pipelines-ui-confirm-help')} value={value} onChange={onChange} />
  )
}

export function TimeoutField(p: {
  value: number | undefined
  max: number
  onChange: (minutes: number | undefined) => void
}) {
  return (
    <NumberField
      name="timeoutMinutes"
      label={t('pipelines-ui-timeout')}
      help={t('pipelines-ui-timeout-help')}
      optional
      min={1}
      max={p.max}
      precision={0}
      value={p.value}
      suffix={t('ui-unit-min')}
      onChange={p.onChange}
    />
  )
}

interface WordsFieldProps {
  name: string
  label: string
  words: readonly string[]
  onChange: (words: string[]) => void
}

/** A command as a list, one argument per line, so that nothing needs quotes. */
export function WordsField({ name, label, words, onChange }: WordsFieldProps) {
  return (
    <StepField name={name} label={label} help={t('pipelines-ui-words-help')} optional>
      {(control) => (
        <Input.TextArea
          {...control}
          className="g-mono g-grow"
          rows={1}
          spellCheck={false}
          value={words.join('\n')}
          onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
        />
      )}
    </StepField>
  )
}

/** Ports, typed one by one. */
export function PortsField({
  name = 'ports',
  ports,
  onChange,
}: {
  name?: string
  ports: readonly number[]
  onChange: (ports: number[]) => void
}) {
  return (
    <StepField name={name} label={t('pipelines-ui-ports')} help={t('pipelines-ui-ports-help')} optional>
      {(control) => (
        <Select
          {...control}
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', ' ']}
          value={ports.map(String)}
          onChange={(texts: string[]) => onChange([...new Set(texts.map(Number).filter(Number.isInteger))])}
        />
      )}
    </StepField>
  )
}
