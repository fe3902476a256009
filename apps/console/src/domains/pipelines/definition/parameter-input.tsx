import { Input, Select } from 'antd'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { t } from '../../../api/language.ts'
import { clearButton } from '../../../ui/form/clear-button.tsx'

interface ParameterInputProps extends Pick<Parameter, 'kind' | 'values'> {
  id?: string
  value?: string
  onChange?: (value: string) => void
  /** Whether the value may be empty. */
  clearable: boolean
}

/** The control for a parameter's value. */
export function ParameterInput({ kind, values, clearable, value = '', onChange, ...field }: ParameterInputProps) {
  const change = (next: string | undefined) => onChange?.(next ?? '')
  const select = (options: { value: string; label: string }[]) => (
    <Select
      {...field}
      {...(value === '' ? {} : { value })}
      options={options}
      allowClear={clearable && clearButton()}
      onChange={(next: string | undefined) => change(next)}
    />
  )
  if (kind === 'choice') return select([...new Set(values)].map((one) => ({ value: one, label: one })))
  if (kind === 'boolean')
    return select([
      { value: 'true', label: t('pipelines-ui-yes') },
      { value: 'false', label: t('pipelines-ui-no') },
    ])
  const text = { ...field, value, maxLength: 4096, spellCheck: false }
  if (kind === 'secret')
    return <Input.Password {...text} autoComplete="new-password" onChange={(event) => change(event.target.value)} />
  return (
    <Input
      {...text}
      {...(kind === 'number' ? { inputMode: 'decimal' as const } : {})}
      className="g-mono"
      onChange={(event) => change(event.target.value)}
    />
  )
}
