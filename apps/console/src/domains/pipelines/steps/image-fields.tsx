import { example } from '../../../ui/form/example.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { ImagePathInput } from '../../images/public.tsx'
import { PairRows } from '../definition/pair-rows.tsx'
import { DestinationFields } from './destination-fields.tsx'
import { DockerfileFields, MethodField } from './dockerfile-fields.tsx'
import { CodeField, StepField, useReadOnly } from './step-field.tsx'
import { EnvironmentField, patched, PortsField, WordsField, type FieldsProps, type Of } from './step-parts.tsx'

/** Placeholders for the build's own values in a tag. */
const placeholders = ['${number}', '${commit}', '${branch}'] as const

export function ImageFields({ step, onChange }: FieldsProps<Of<'image'>>) {
  const readOnly = useReadOnly()
  const tag = step.tag ?? '${number}'
  return (
    <>
      <DestinationFields
        destination={step}
        label={t('pipelines-ui-registry')}
        help={t('pipelines-ui-registry-where')}
        onChange={(change) => onChange({ ...step, ...change })}
      />
      <CodeField
        name="tag"
        label={t('pipelines-ui-tag')}
        help={
          <>
            {t('pipelines-ui-tag-help')}
            {!readOnly &&
              placeholders.map((each) => (
                <Button key={each} small quiet onClick={() => onChange({ ...step, tag: tag + each })}>
                  <span className="g-mono">{each}</span>
                </Button>
              ))}
          </>
        }
        value={tag}
        onChange={(tag) => onChange({ ...step, tag })}
      />
      <MethodField step={step} onChange={onChange} />
      {step.method === 'dockerfile' ? (
        <DockerfileFields step={step} onChange={onChange} />
      ) : (
        <LayersFields step={step} onChange={onChange} />
      )}
    </>
  )
}

function LayersFields({ step, onChange }: FieldsProps<Of<'image'>>) {
  return (
    <>
      <StepField name="base" label={t('pipelines-ui-base')} help={t('pipelines-ui-base-help')}>
        {(control) => (
          <ImagePathInput
            {...control}
            tagged
            registryId={step.registryId}
            value={step.base ?? 'scratch'}
            onChange={(base) => onChange({ ...step, base })}
          />
        )}
      </StepField>
      <StepField name="copy" label={t('pipelines-ui-copy')} help={t('pipelines-ui-copy-help')} wide named>
        {() => (
          <PairRows
            label={t('pipelines-ui-copy')}
            keys={['from', 'to']}
            words={[t('pipelines-ui-copy-from'), t('pipelines-ui-copy-to')]}
            add={t('pipelines-ui-copy-add')}
            rows={step.copy ?? []}
            onChange={(copy) => onChange({ ...step, copy })}
          />
        )}
      </StepField>
      <WordsField
        name="entrypoint"
        label={t('pipelines-ui-entrypoint')}
        words={step.entrypoint ?? []}
        onChange={(entrypoint) => onChange({ ...step, entrypoint })}
      />
      <WordsField
        name="command"
        label={t('pipelines-ui-command')}
        words={step.command ?? []}
        onChange={(command) => onChange({ ...step, command })}
      />
      <CodeField
        name="workingDirectory"
        label={t('pipelines-ui-directory')}
        optional
        placeholder={example('/app')}
        value={step.workingDirectory ?? ''}
        onChange={(workingDirectory) => onChange(patched(step, { workingDirectory: workingDirectory || undefined }))}
      />
      <CodeField
        name="user"
        label={t('pipelines-ui-user')}
        help={t('pipelines-ui-user-help')}
        optional
        placeholder={example('1000')}
        value={step.user ?? ''}
        onChange={(user) => onChange(patched(step, { user: user || undefined }))}
      />
      <PortsField ports={step.ports ?? []} onChange={(ports) => onChange({ ...step, ports })} />
      <EnvironmentField rows={step.environment ?? []} onChange={(environment) => onChange({ ...step, environment })} />
    </>
  )
}
