import { InputNumber } from 'antd'
import { t } from '../../../api/language.ts'
import { Field } from '../../../ui/form/form.tsx'

/** A stack's share of cores and memory, as fields of a Form under `quota` or at the top level. */
export function ShareFields({ under }: { under?: string }) {
  const at = (name: string) => (under === undefined ? [name] : [under, name])
  return (
    <div className="g-columns">
      <Field name={at('cpu')} label={t('stacks-ui-cpu')}>
        <InputNumber min={0} step={0.5} suffix={t('stacks-ui-unit-cpu')} placeholder={t('stacks-ui-no-limit')} />
      </Field>
      <Field name={at('memory')} label={t('stacks-ui-memory')}>
        <InputNumber min={0} step={0.5} suffix={t('stacks-ui-unit-memory')} placeholder={t('stacks-ui-no-limit')} />
      </Field>
    </div>
  )
}
