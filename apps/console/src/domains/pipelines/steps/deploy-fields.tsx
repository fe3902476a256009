import { Select } from 'antd'
import { t } from '../../../api/language.ts'
import { ServiceSelect } from './service-select.tsx'
import { NumberField, StepField, SwitchField } from './step-field.tsx'
import {
  ConfirmField,
  patched,
  PortsField,
  StackField,
  TimeoutField,
  type FieldsProps,
  type Of,
} from './step-parts.tsx'

interface DeployFieldsProps extends FieldsProps<Of<'deploy'>> {
  images: readonly string[]
}

export function DeployFields({ step, onChange, images }: DeployFieldsProps) {
  const create = step.create
  return (
    <>
      <StackField
        value={step.stackUuid}
        help={t('pipelines-ui-stack-where')}
        onChange={(stackUuid) => onChange({ ...step, stackUuid, service: '' })}
      />
      <StepField name="service" label={t('pipelines-ui-service')} help={t('pipelines-ui-service-help')}>
        {(control) =>
          step.stackUuid === '' ? (
            <Select {...control} disabled placeholder={t('pipelines-ui-service-first')} />
          ) : (
            <ServiceSelect
              {...control}
              stack={step.stackUuid}
              value={step.service}
              onChange={(service) => onChange({ ...step, service })}
            />
          )
        }
      </StepField>
      <StepField name="imageFrom" label={t('pipelines-ui-image-from')} help={t('pipelines-ui-image-from-help')}>
        {(control) => (
          <Select
            {...control}
            value={step.imageFrom ?? ''}
            options={[
              { value: '', label: t('pipelines-ui-image-last') },
              ...images.map((value) => ({ value, label: value })),
            ]}
            onChange={(imageFrom: string) => onChange(patched(step, { imageFrom: imageFrom || undefined }))}
          />
        )}
      </StepField>
      <TimeoutField
        value={step.timeoutMinutes ?? 10}
        max={1440}
        onChange={(timeoutMinutes) => onChange(patched(step, { timeoutMinutes }))}
      />
      <ConfirmField
        label={t('pipelines-ui-confirm')}
        value={step.confirm}
        onChange={(confirm) => onChange({ ...step, confirm })}
      />
      <SwitchField
        name="create"
        label={t('pipelines-ui-make')}
        help={t('pipelines-ui-make-help')}
        value={create !== undefined}
        onChange={(make) => onChange(patched(step, { create: make ? {} : undefined }))}
      />
      {create && (
        <>
          <NumberField
            name="create.replicas"
            label={t('pipelines-ui-replicas')}
            min={0}
            max={1000}
            precision={0}
            value={create.replicas ?? 1}
            onChange={(replicas) => onChange({ ...step, create: { ...create, replicas: replicas ?? 1 } })}
          />
          <PortsField
            name="create.ports"
            ports={(create.ports ?? []).map(({ port }) => port)}
            onChange={(ports) => onChange({ ...step, create: { ...create, ports: ports.map((port) => ({ port })) } })}
          />
        </>
      )}
    </>
  )
}
