import { Input, Select } from 'antd'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { DockerfileSelect } from '../../dockerfiles/public.tsx'
import { PairRows } from '../definition/pair-rows.tsx'
import { CodeField, StepField } from './step-field.tsx'
import { patched, type FieldsProps, type Of } from './step-parts.tsx'

/** The fields of the image step's methods, which are cleared when the method changes. */
const ofMethod = {
  layers: {
    base: undefined,
    copy: undefined,
    entrypoint: undefined,
    command: undefined,
    workingDirectory: undefined,
    user: undefined,
    ports: undefined,
    environment: undefined,
  },
  dockerfile: { dockerfile: undefined, context: undefined, arguments: undefined, target: undefined },
}

export function MethodField({ step, onChange }: FieldsProps<Of<'image'>>) {
  return (
    <StepField name="method" label={t('pipelines-ui-method')} help={t('pipelines-ui-method-help')}>
      {(control) => (
        <Select
          {...control}
          value={step.method ?? 'layers'}
          options={(['layers', 'dockerfile'] as const).map((value) => ({
            value,
            label: t(`pipelines-ui-method-${value}`),
          }))}
          onChange={(method: 'layers' | 'dockerfile') =>
            onChange(
              method === 'layers'
                ? patched(step, { ...ofMethod.dockerfile, method: undefined })
                : patched(step, { ...ofMethod.layers, method, dockerfile: { path: 'Dockerfile' } }),
            )
          }
        />
      )}
    </StepField>
  )
}

export function DockerfileFields({ step, onChange }: FieldsProps<Of<'image'>>) {
  const { dockerfile } = step
  const kept = dockerfile !== undefined && 'id' in dockerfile
  return (
    <>
      <StepField name="from" label={t('pipelines-ui-dockerfile-from')}>
        {(control) => (
          <Select
            {...control}
            value={kept ? 'team' : 'workspace'}
            options={(['workspace', 'team'] as const).map((value) => ({
              value,
              label: t(`pipelines-ui-dockerfile-${value}`),
            }))}
            onChange={(from: 'workspace' | 'team') =>
              onChange({ ...step, dockerfile: from === 'team' ? { id: 0 } : { path: 'Dockerfile' } })
            }
          />
        )}
      </StepField>
      <StepField name="dockerfile" label={t('pipelines-ui-dockerfile')}>
        {(control) =>
          kept ? (
            <DockerfileSelect
              {...control}
              {...(dockerfile.id > 0 ? { value: dockerfile.id } : {})}
              onChange={(id) => onChange({ ...step, dockerfile: { id: id ?? 0 } })}
            />
          ) : (
            <Input
              {...control}
              className="g-mono"
              spellCheck={false}
              placeholder={example('docker/Dockerfile')}
              value={dockerfile?.path ?? ''}
              onChange={(event) => onChange({ ...step, dockerfile: { path: event.target.value } })}
            />
          )
        }
      </StepField>
      <CodeField
        name="context"
        label={t('pipelines-ui-context')}
        help={t('pipelines-ui-context-help')}
        optional
        value={step.context ?? '.'}
        onChange={(context) => onChange(patched(step, { context: context || undefined }))}
      />
      <CodeField
        name="target"
        label={t('pipelines-ui-target')}
        help={t('pipelines-ui-target-help')}
        optional
        value={step.target ?? ''}
        onChange={(target) => onChange(patched(step, { target: target || undefined }))}
      />
      <StepField
        name="arguments"
        label={t('pipelines-ui-arguments')}
        help={t('pipelines-ui-arguments-help')}
        wide
        optional
        named
      >
        {() => (
          <PairRows
            label={t('pipelines-ui-arguments')}
            keys={['name', 'value']}
            words={[t('pipelines-ui-name'), t('pipelines-ui-value')]}
            add={t('pipelines-ui-arguments-add')}
            rows={step.arguments ?? []}
            onChange={(rows) => onChange({ ...step, arguments: rows })}
          />
        )}
      </StepField>
    </>
  )
}
