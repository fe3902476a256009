import { HttpStep } from '@gantry/contract/pipelines/steps/served'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { Input, Select } from 'antd'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { PairRows } from '../definition/pair-rows.tsx'
import { CodeField, NumberField, StepField, SwitchField } from './step-field.tsx'
import { DictionaryField, patched, type FieldsProps, type Of } from './step-parts.tsx'

const placeholders = { output: '${outputs.step.KEY}', variable: '${variables.NAME}' }

const methods = HttpStep.shape.method.unwrap().options

/** A request to a URL: what is sent, and which statuses count as success. */
export function HttpFields({ step, onChange }: FieldsProps<Of<'http'>>) {
  return (
    <>
      <StepField name="method" label={t('pipelines-ui-http-method')}>
        {(control) => (
          <Select
            {...control}
            value={step.method ?? 'GET'}
            options={methods.map((value) => ({ value, label: value }))}
            onChange={(method: (typeof methods)[number]) => onChange({ ...step, method })}
          />
        )}
      </StepField>
      <CodeField
        name="url"
        label={t('pipelines-ui-http-url')}
        help={t('pipelines-ui-http-url-help', placeholders)}
        placeholder={example('https://hooks.example.org/release')}
        value={step.url}
        onChange={(url) => onChange({ ...step, url })}
      />
      <StepField
        name="statuses"
        label={t('pipelines-ui-http-statuses')}
        help={t('pipelines-ui-http-statuses-help')}
        optional
      >
        {(control) => (
          <Select
            {...control}
            mode="tags"
            open={false}
            suffixIcon={null}
            tokenSeparators={[',', ' ']}
            value={(step.statuses ?? []).map(String)}
            onChange={(texts: string[]) =>
              onChange({ ...step, statuses: [...new Set(texts.map(Number).filter(Number.isInteger))] })
            }
          />
        )}
      </StepField>
      <NumberField
        name="timeoutSeconds"
        label={t('pipelines-ui-http-timeout')}
        min={1}
        max={120}
        precision={0}
        value={step.timeoutSeconds ?? 30}
        onChange={(timeoutSeconds) => onChange(patched(step, { timeoutSeconds }))}
      />
      <StepField
        name="headers"
        label={t('pipelines-ui-http-headers')}
        help={t('pipelines-ui-http-headers-help')}
        wide
        optional
        named
      >
        {() => (
          <PairRows
            label={t('pipelines-ui-http-headers')}
            keys={['name', 'value']}
            words={[t('pipelines-ui-name'), t('pipelines-ui-value')]}
            add={t('pipelines-ui-http-header-add')}
            rows={step.headers ?? []}
            onChange={(headers) => onChange({ ...step, headers })}
          />
        )}
      </StepField>
      <StepField name="body" label={t('pipelines-ui-http-body')} wide optional>
        {(control) => (
          <Input.TextArea
            {...control}
            className="g-mono g-grow"
            rows={3}
            spellCheck={false}
            value={step.body ?? ''}
            onChange={(event) => onChange({ ...step, body: event.target.value })}
          />
        )}
      </StepField>
    </>
  )
}

/** Another pipeline of the team, and the input of its build. */
export function PipelineFields({ step, onChange }: FieldsProps<Of<'pipeline'>>) {
  const teamId = useTeamId()
  const { pipelineId } = step
  const chosen = useRead(
    pipelines.get,
    { params: { id: pipelineId } },
    { enabled: pipelineId > 0, keep: false, staleMs: 30_000 },
  )
  // a deleted one, or one that the user may not see, is named by its number
  const called = chosen.data?.projectName ?? (chosen.isError ? undefined : '…')
  return (
    <>
      <StepField name="pipelineId" label={t('pipelines-ui-pipeline-which')} help={t('pipelines-ui-pipeline-help')}>
        {(control) => (
          <RemoteSelect
            {...control}
            endpoint={pipelines.list}
            input={{ params: { teamId } }}
            pageSize={10}
            option={(one) => ({ value: one.id, label: one.projectName })}
            {...(pipelineId > 0 ? { value: pipelineId, valueLabel: called } : {})}
            onChange={(pipelineId) => onChange({ ...step, pipelineId: Number(pipelineId) })}
          />
        )}
      </StepField>
      <CodeField
        name="branch"
        label={t('pipelines-ui-branch')}
        help={t('pipelines-ui-pipeline-branch-help')}
        optional
        value={step.branch ?? ''}
        onChange={(branch) => onChange({ ...step, branch })}
      />
      <SwitchField
        name="wait"
        label={t('pipelines-ui-pipeline-wait')}
        help={t('pipelines-ui-pipeline-wait-help')}
        value={step.wait ?? true}
        onChange={(wait) => onChange({ ...step, wait })}
      />
      <DictionaryField
        name="parameters"
        label={t('pipelines-ui-parameters')}
        add={t('pipelines-ui-pipeline-parameter-add')}
        value={step.parameters ?? {}}
        onChange={(parameters) => onChange({ ...step, parameters })}
      />
    </>
  )
}
