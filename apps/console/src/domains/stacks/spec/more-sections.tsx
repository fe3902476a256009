import { Form as Antd, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import type { Rollout } from '@gantry/contract/stacks/spec-run'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { AutoscalingFields, freshAutoscaling } from '../scaling/autoscaling-fields.tsx'
import { CheckFields } from './check-fields.tsx'
import { ConfigurationFields, freshConfiguration } from './configuration-fields.tsx'
import { FileList, VolumeList } from './storage-fields.tsx'
import styles from './spec.module.css'

interface Part<K extends keyof ServiceSpecInput = keyof ServiceSpecInput> {
  key: K
  fields: () => ReactNode
  /** The initial value when it is opened. */
  fresh: ServiceSpecInput[K]
}
const part = <K extends keyof ServiceSpecInput>(one: Part<K>): Part<K> => one

/** Optional sections of a service: each is opened when needed, and removed as a whole. */
const parts = [
  part({ key: 'liveness', fields: () => <CheckFields name="liveness" />, fresh: { type: 'none' } }),
  part({ key: 'startup', fields: () => <CheckFields name="startup" />, fresh: { type: 'none' } }),
  part({ key: 'configuration', fields: ConfigurationFields, fresh: freshConfiguration }),
  part({ key: 'volumes', fields: VolumeList, fresh: [] }),
  part({ key: 'files', fields: FileList, fresh: [] }),
  part({ key: 'rollout', fields: RolloutFields, fresh: { type: 'rolling', surge: 1, unavailable: 0 } }),
  part({ key: 'autoscaling', fields: AutoscalingFields, fresh: freshAutoscaling() }),
  part({ key: 'placement', fields: OsField, fresh: { os: 'linux' } }),
  part({ key: 'terminationSeconds', fields: TerminationField, fresh: 30 }),
] as const

/** Other placement rules are edited as text. */
function OsField() {
  return (
    <Field filled name={['placement', 'os']} label={t('stacks-ui-os')}>
      <Select
        className="g-select"
        options={[
          { value: 'linux', label: 'Linux' },
          { value: 'windows', label: 'Windows' },
        ]}
      />
    </Field>
  )
}

export function MoreSections() {
  const form = Antd.useFormInstance()
  const values: Partial<ServiceSpecInput> =
    Antd.useWatch((all: Partial<ServiceSpecInput>) => all, { form, preserve: true }) ?? {}
  const isOpen = ({ key }: (typeof parts)[number]) => values[key] !== undefined
  const workload = values.workload ?? 'deployment'
  const fits = ({ key }: (typeof parts)[number]) =>
    workload === 'deployment' || (key !== 'rollout' && (key !== 'autoscaling' || workload === 'statefulset'))
  const closed = parts.filter((one) => !isOpen(one) && fits(one))
  return (
    <>
      {parts.filter(isOpen).map(({ key, fields: Fields }) => (
        <Section
          key={key}
          title={t(`stacks-ui-field-${key}`)}
          about={t(`stacks-ui-more-${key}`)}
          actions={
            <Button
              quiet
              small
              icon="delete"
              label={t('stacks-ui-row-remove', { what: t(`stacks-ui-field-${key}`) })}
              onClick={() => form.setFieldValue(key, undefined)}
            />
          }
        >
          <Fields />
        </Section>
      ))}
      {closed.length > 0 && (
        <Section title={t('stacks-ui-more')} about={t('stacks-ui-more-about')}>
          <div className={`g-row ${styles.more}`}>
            {closed.map(({ key, fresh }) => (
              <Button key={key} small icon="add" onClick={() => form.setFieldValue(key, fresh)}>
                {t(`stacks-ui-field-${key}`)}
              </Button>
            ))}
          </div>
        </Section>
      )}
    </>
  )
}

const ways: readonly Rollout['type'][] = ['rolling', 'healthy', 'recreate']

function RolloutFields() {
  const form = Antd.useFormInstance()
  const type: Rollout['type'] = Antd.useWatch(['rollout', 'type'], form) ?? 'rolling'
  return (
    <div className="g-columns">
      <Field filled name={['rollout', 'type']} label={t('stacks-ui-rollout-type')}>
        <Select
          className="g-select"
          options={ways.map((value) => ({ value, label: t(`stacks-ui-rollout-${value}`) }))}
          onChange={(next: Rollout['type']) => {
            // Each type has its own fields, and no others.
            const own = { rolling: { surge: 1, unavailable: 0 }, healthy: { healthy: 1 }, recreate: {} }[next]
            form.setFieldValue('rollout', { type: next, ...own })
          }}
        />
      </Field>
      {type === 'rolling' && (
        <>
          <Field filled name={['rollout', 'surge']} label={t('stacks-ui-rollout-surge')}>
            <InputNumber min={0} max={1000} precision={0} />
          </Field>
          <Field filled name={['rollout', 'unavailable']} label={t('stacks-ui-rollout-unavailable')}>
            <InputNumber min={0} max={1000} precision={0} />
          </Field>
        </>
      )}
      {type === 'healthy' && (
        <Field filled name={['rollout', 'healthy']} label={t('stacks-ui-rollout-least')}>
          <InputNumber min={1} max={999} precision={0} />
        </Field>
      )}
    </div>
  )
}

function TerminationField() {
  return (
    <Field filled name="terminationSeconds" label={t('stacks-ui-field-terminationSeconds')}>
      <InputNumber min={1} max={3600} precision={0} suffix={t('stacks-ui-seconds')} />
    </Field>
  )
}
