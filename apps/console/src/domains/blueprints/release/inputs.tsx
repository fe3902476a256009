import { Input, InputNumber, Select, Switch } from 'antd'
import { z } from 'zod'
import { checkTemplate } from '@gantry/tosca/compile'
import { type TemplateInput, valueAs } from '@gantry/tosca/values'
import { t } from '../../../api/language.ts'
import { Field } from '../../../ui/form/form.tsx'
import styles from './release.module.css'

export const inputsOf = (template: string): TemplateInput[] => checkTemplate(template).template.inputs

type InputValues = Record<string, string | number | boolean>

/** The rules of a template's inputs. `kept`: omitted secrets keep the stack's values. */
export const inputsSchema = (inputs: readonly TemplateInput[], kept = false) =>
  z.object(
    Object.fromEntries(
      inputs.map(({ name, type, required, default: fallback }) => {
        const value = z.union([z.string().max(32_768), z.number(), z.boolean()])
        const needed = required && fallback === undefined && !(kept && type === 'secret')
        return [name, needed ? value : value.optional()]
      }),
    ),
  )

/** The initial values: those of the last deployment, otherwise the defaults. */
export const beginning = (inputs: readonly TemplateInput[], given: InputValues = {}): InputValues =>
  Object.fromEntries(
    inputs.flatMap(({ name, type, default: fallback }) => {
      const value = type === 'secret' ? undefined : valueAs(type, given[name] ?? fallback)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const control = ({ type, values }: TemplateInput) => {
  if (values) return <Select options={values.map((value) => ({ value: value as string, label: String(value) }))} />
  switch (type) {
    case 'secret':
      return <Input.Password autoComplete="new-password" />
    case 'boolean':
      return <Switch />
    case 'integer':
      return <InputNumber precision={0} />
    case 'float':
      return <InputNumber />
    case 'string':
      return <Input spellCheck={false} />
  }
}

/** The inputs of a template as fields of a Form under `inputs`. */
export function InputFields({ inputs, kept = false }: { inputs: readonly TemplateInput[]; kept?: boolean }) {
  if (inputs.length === 0) return null
  return (
    <fieldset className={styles.part}>
      <legend>{t('blueprints-ui-inputs')}</legend>
      {inputs.map((input) => (
        <Field
          key={input.name}
          name={['inputs', input.name]}
          label={input.name}
          help={input.description || (kept && input.type === 'secret' ? t('blueprints-ui-secret-kept') : undefined)}
          filled={input.default !== undefined}
          {...(input.type === 'boolean' ? { value: 'checked' as const } : {})}
        >
          {control(input)}
        </Field>
      ))}
    </fieldset>
  )
}
