import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { charts } from '@gantry/contract/helm/charts'
import { helmRepositories } from '@gantry/contract/helm/repositories'
import { Input, Select } from 'antd'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { StepField } from './step-field.tsx'
import {
  ConfirmField,
  DictionaryField,
  patched,
  StackField,
  TimeoutField,
  type FieldsProps,
  type Of,
} from './step-parts.tsx'

const placeholders = { output: '${outputs.step.KEY}', variable: '${variables.NAME}' }

/** A chart, its release, and the values that differ from the chart's. */
export function HelmFields({ step, onChange }: FieldsProps<Of<'helm'>>) {
  const tenantId = useTeamId()
  const repositories = useRead(helmRepositories.all, { query: { tenantId } }, { staleMs: 30_000 })
  const { repositoryId, chart } = step
  return (
    <>
      <StackField
        value={step.stackUuid}
        help={t('pipelines-ui-helm-stack-help')}
        onChange={(stackUuid) => onChange({ ...step, stackUuid })}
      />
      <StepField name="release" label={t('pipelines-ui-helm-release')} help={t('pipelines-ui-helm-release-help')}>
        {(control) => (
          <Input
            {...control}
            className="g-mono"
            spellCheck={false}
            maxLength={53}
            value={step.release}
            onChange={(event) => onChange({ ...step, release: event.target.value })}
          />
        )}
      </StepField>
      <StepField name="repositoryId" label={t('pipelines-ui-helm-repository')}>
        {(control) => (
          <Select
            {...control}
            loading={repositories.isLoading}
            {...(repositoryId > 0 ? { value: repositoryId } : {})}
            options={(repositories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(next: number) => onChange({ ...step, repositoryId: next, chart: '', version: '' })}
          />
        )}
      </StepField>
      {repositoryId > 0 && (
        <StepField name="chart" label={t('pipelines-ui-helm-chart')}>
          {(control) => (
            <RemoteSelect
              {...control}
              endpoint={charts.list}
              input={{ params: { repoId: repositoryId, tenantId } }}
              pageSize={20}
              option={(one) => ({ value: one.name, label: one.name })}
              {...(chart === '' ? {} : { value: chart, valueLabel: chart })}
              onChange={(name, one) => onChange({ ...step, chart: String(name ?? ''), version: one?.version ?? '' })}
            />
          )}
        </StepField>
      )}
      {repositoryId > 0 && chart !== '' && (
        <StepField name="version" label={t('pipelines-ui-helm-version')}>
          {(control) => (
            <RemoteSelect
              {...control}
              endpoint={charts.versions}
              input={{ params: { chartName: chart, repoId: repositoryId, tenantId } }}
              pageSize={20}
              option={(one) => ({ value: one.version, label: one.version })}
              {...(step.version === '' ? {} : { value: step.version, valueLabel: step.version })}
              onChange={(version) => onChange({ ...step, version: String(version ?? '') })}
            />
          )}
        </StepField>
      )}
      <TimeoutField
        value={step.timeoutMinutes ?? 10}
        max={1440}
        onChange={(timeoutMinutes) => onChange(patched(step, { timeoutMinutes }))}
      />
      <StepField
        name="values"
        label={t('pipelines-ui-helm-values')}
        help={t('pipelines-ui-helm-values-help', placeholders)}
        wide
        optional
      >
        {(control) => (
          <Input.TextArea
            {...control}
            className="g-mono g-grow"
            rows={6}
            spellCheck={false}
            value={step.values ?? ''}
            onChange={(event) => onChange(patched(step, { values: event.target.value || undefined }))}
          />
        )}
      </StepField>
    </>
  )
}

/** A version of a product, the stack that it upgrades, and its inputs. */
export function BlueprintFields({ step, onChange }: FieldsProps<Of<'blueprint'>>) {
  const teamId = useTeamId()
  const { blueprintId } = step
  const chosen = useRead(
    blueprints.get,
    { params: { teamId, id: blueprintId } },
    { enabled: blueprintId > 0, keep: false, staleMs: 30_000 },
  )
  // a deleted one, or one that the user may not see, is named by its number
  const called = chosen.data ? `${chosen.data.productName} ${chosen.data.version}` : chosen.isError ? undefined : '…'
  return (
    <>
      <StackField
        value={step.stackUuid}
        help={t('pipelines-ui-blueprint-stack-help')}
        onChange={(stackUuid) => onChange({ ...step, stackUuid })}
      />
      <StepField name="blueprintId" label={t('pipelines-ui-blueprint-which')}>
        {(control) => (
          <RemoteSelect
            {...control}
            endpoint={blueprints.list}
            input={{ params: { teamId } }}
            pageSize={10}
            option={(one) => ({ value: one.id, label: `${one.productName} ${one.version}` })}
            {...(blueprintId > 0 ? { value: blueprintId, valueLabel: called } : {})}
            onChange={(blueprintId) => onChange({ ...step, blueprintId: Number(blueprintId ?? 0) })}
          />
        )}
      </StepField>
      <TimeoutField
        value={step.timeoutMinutes ?? 10}
        max={1440}
        onChange={(timeoutMinutes) => onChange(patched(step, { timeoutMinutes }))}
      />
      <ConfirmField
        label={t('pipelines-ui-blueprint-confirm')}
        value={step.confirm}
        onChange={(confirm) => onChange({ ...step, confirm })}
      />
      <DictionaryField
        name="inputs"
        label={t('pipelines-ui-blueprint-inputs')}
        help={t('pipelines-ui-blueprint-inputs-help', placeholders)}
        add={t('pipelines-ui-blueprint-input-add')}
        value={step.inputs ?? {}}
        onChange={(inputs) => onChange({ ...step, inputs })}
      />
    </>
  )
}
