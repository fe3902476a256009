import { Form as Antd, Input, InputNumber, Select } from 'antd'
import type { Probe } from '@gantry/contract/stacks/spec-container'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Lines } from './list-fields.tsx'

type Type = Probe['type']
const types: readonly Type[] = ['none', 'tcp', 'http', 'command']

/** A check of the main container, as fields of a Form; `none` is one of its choices. */
export function CheckFields({ name }: { name: 'readiness' | 'liveness' | 'startup' }) {
  const form = Antd.useFormInstance()
  const type: Type = Antd.useWatch([name, 'type'], form) ?? 'none'
  const ports: readonly ({ port?: number } | undefined)[] = Antd.useWatch('ports', form) ?? []
  return (
    <div className="g-columns">
      <Field filled name={[name, 'type']} label={t('stacks-ui-readiness-type')}>
        <Select
          className="g-select"
          options={types.map((value) => ({ value, label: t(`stacks-ui-readiness-${value}`) }))}
          onChange={(next: Type) => {
            const { port = ports[0]?.port, path = '/', command = [], ...timing } = form.getFieldValue(name) ?? {}
            // Each type has its own fields, and no others.
            const own = { none: {}, tcp: { port }, http: { port, path }, command: { command } }[next]
            form.setFieldValue(name, next === 'none' ? { type: next } : { ...timing, type: next, ...own })
          }}
        />
      </Field>
      {(type === 'tcp' || type === 'http') && (
        <Field filled name={[name, 'port']} label={t('stacks-ui-port')}>
          <InputNumber min={1} max={65_535} precision={0} />
        </Field>
      )}
      {type === 'http' && (
        <Field filled name={[name, 'path']} label={t('stacks-ui-path')}>
          <Input className="g-mono" spellCheck={false} placeholder={example('/healthz')} />
        </Field>
      )}
      {type === 'command' && (
        <Field filled name={[name, 'command']} label={t('stacks-ui-entrypoint')} help={t('stacks-ui-line-each')}>
          <Lines />
        </Field>
      )}
      {type !== 'none' && (
        <>
          <Field name={[name, 'delaySeconds']} label={t('stacks-ui-check-delay')}>
            <InputNumber min={0} max={3600} precision={0} suffix={t('stacks-ui-seconds')} />
          </Field>
          <Field name={[name, 'periodSeconds']} label={t('stacks-ui-check-period')}>
            <InputNumber min={1} max={3600} precision={0} suffix={t('stacks-ui-seconds')} />
          </Field>
          <Field name={[name, 'failures']} label={t('stacks-ui-check-failures')}>
            <InputNumber min={1} max={100} precision={0} />
          </Field>
        </>
      )}
    </div>
  )
}
