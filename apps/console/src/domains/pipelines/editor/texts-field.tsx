import { Select } from 'antd'
import type { ReactNode } from 'react'
import { StepField } from '../steps/step-field.tsx'

interface TextsFieldProps {
  name: string
  label: string
  help?: ReactNode
  placeholder?: string
  texts: readonly string[]
  /** The choices; absent: free text. */
  options?: readonly string[]
  optional?: boolean
  wide?: boolean
  onChange: (texts: string[]) => void
}

/** A list of texts, typed one by one, or selected. */
export function TextsField({ texts, options, placeholder, onChange, ...field }: TextsFieldProps) {
  return (
    <StepField {...field}>
      {(control) => (
        <Select
          {...control}
          mode="tags"
          {...(options
            ? { options: options.map((value) => ({ value, label: value })) }
            : { open: false, suffixIcon: null })}
          {...(placeholder === undefined ? {} : { placeholder })}
          tokenSeparators={[',']}
          value={[...texts]}
          onChange={(next: string[]) => onChange(next.map((text) => text.trim()).filter((text) => text !== ''))}
        />
      )}
    </StepField>
  )
}
