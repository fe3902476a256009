import { example } from '../../../ui/form/example.ts'
import { Form as Antd, Input, InputNumber, Select } from 'antd'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { ImageFields } from './image-field.tsx'
import { Lines, PortList, VariableList } from './list-fields.tsx'
import styles from './spec.module.css'

/** What a service is where nothing is said. */
export const plainSpec = (): Partial<ServiceSpec> => ({ ...ServiceSpec.parse({ image: 'x' }), image: '' })

/** Everything of a ServiceSpec, as fields of a Form. */
export function ServiceFields() {
  return (
    <>
      <Section title={t('stacks-ui-image')}>
        <div>
          <ImageFields />
        </div>
      </Section>
      <Section title={t('stacks-ui-size')} about={t('stacks-ui-size-about')}>
        <div>
          <Field filled name="replicas" label={t('stacks-ui-replicas')} help={t('stacks-ui-replicas-help')}>
            <InputNumber min={0} max={1000} precision={0} />
          </Field>
          <div className={`g-columns ${styles.twoColumns}`}>
            <Field filled name={['resources', 'cpu']} label={t('stacks-ui-cpu-limit')} help={t('stacks-ui-cpu-help')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field
              filled
              name={['resources', 'memory']}
              label={t('stacks-ui-memory-limit')}
              help={t('stacks-ui-memory-help')}
            >
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name={['resources', 'cpuRequest']} label={t('stacks-ui-cpu-request')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
            <Field filled name={['resources', 'memoryRequest']} label={t('stacks-ui-memory-request')}>
              <Input className="g-mono" spellCheck={false} />
            </Field>
          </div>
        </div>
      </Section>
      <Section title={t('stacks-ui-ports')} about={t('stacks-ui-ports-about')}>
        <PortList />
      </Section>
      <Section title={t('stacks-ui-readiness')} about={t('stacks-ui-readiness-about')}>
        <Readiness />
      </Section>
      <Section title={t('stacks-ui-variables')} about={t('stacks-ui-variables-about')}>
        <VariableList />
      </Section>
      <Section title={t('stacks-ui-command')} about={t('stacks-ui-command-about')}>
        <div className="g-columns">
          <Field name="command" label={t('stacks-ui-entrypoint')} help={t('stacks-ui-line-each')}>
            <Lines />
          </Field>
          <Field name="arguments" label={t('stacks-ui-arguments')} help={t('stacks-ui-line-each')}>
            <Lines />
          </Field>
        </div>
      </Section>
    </>
  )
}

function Readiness() {
  const form = Antd.useFormInstance()
  const type: string | undefined = Antd.useWatch(['readiness', 'type'], form)
  const ports: readonly ({ port?: number } | undefined)[] = Antd.useWatch('ports', form) ?? []
  return (
    <div className="g-columns">
      <Field filled name={['readiness', 'type']} label={t('stacks-ui-readiness-type')}>
        <Select
          className="g-select"
          options={(['none', 'tcp', 'http'] as const).map((value) => ({
            value,
            label: t(`stacks-ui-readiness-${value}`),
          }))}
          onChange={(next: 'none' | 'tcp' | 'http') => {
            const port = form.getFieldValue(['readiness', 'port']) ?? ports[0]?.port
            const path = form.getFieldValue(['readiness', 'path']) ?? '/'
            // Each rule has its own fields, and no other.
            form.setFieldValue(
              'readiness',
              next === 'none' ? { type: next } : next === 'tcp' ? { type: next, port } : { type: next, port, path },
            )
          }}
        />
      </Field>
      {(type === 'tcp' || type === 'http') && (
        <Field filled name={['readiness', 'port']} label={t('stacks-ui-port')}>
          <InputNumber min={1} max={65_535} precision={0} />
        </Field>
      )}
      {type === 'http' && (
        <Field filled name={['readiness', 'path']} label={t('stacks-ui-path')}>
          <Input className="g-mono" spellCheck={false} placeholder={example('/healthz')} />
        </Field>
      )}
    </div>
  )
}
