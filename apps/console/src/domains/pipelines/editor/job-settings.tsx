import { ExecutorName, OsType } from '@gantry/contract/pipelines/definition'
import { Input, Select } from 'antd'
import { t } from '../../../api/language.ts'
import { BuildImageSelect } from '../../build-images/public.tsx'
import { changeJob, type DraftJob } from '../definition/draft.ts'
import { osNames } from '../../../ui/os-names.ts'
import { NumberField, StepField } from '../steps/step-field.tsx'
import { patched } from '../steps/step-parts.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { useEditing } from './editing.ts'
import { MatrixFields } from './matrix-fields.tsx'
import { ServicesField } from './services-field.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { HandsOnField, KeepsWorkspaceField } from './stage-settings.tsx'
import { TextsField } from './texts-field.tsx'

type JobValue = DraftJob['job']

interface JobSettingsProps {
  id: string
  one: DraftJob
  at: number
  row: number
}

const hasContainers = (executor: ExecutorName | undefined): boolean =>
  executor === 'container' || executor === 'kubernetes'

/** Where a job runs, its retries, its timeout, and the files that it passes on. */
export function JobSettings({ id, one, at, row }: JobSettingsProps) {
  const { draft, change, parameters } = useEditing()
  const { job } = one
  const set = (patch: { [K in keyof JobValue]?: JobValue[K] | undefined }) =>
    change(changeJob(draft, at, row, patched(job, patch)), one.key)
  const retries = job.retries?.count ?? 0
  return (
    <SettingsPanel path={`stages.${at}.jobs.${row}`} id={id}>
      <StepField name="name" label={t('pipelines-ui-name')}>
        {(control) => (
          <Input {...control} value={job.name} maxLength={30} onChange={(event) => set({ name: event.target.value })} />
        )}
      </StepField>
      <StepField name="osType" label={t('pipelines-ui-job-os')}>
        {(control) => (
          <Select
            {...control}
            value={job.osType ?? 'linux'}
            options={OsType.options.map((value) => ({ value, label: osNames[value] }))}
            onChange={(osType: OsType) => set({ osType: osType === 'linux' ? undefined : osType })}
          />
        )}
      </StepField>
      <StepField name="executor" label={t('pipelines-ui-job-executor')} help={t('pipelines-ui-job-executor-help')}>
        {(control) => (
          <Select
            {...control}
            value={job.executor ?? ''}
            options={[
              { value: '', label: t('pipelines-ui-job-executor-any') },
              ...ExecutorName.options.map((value) => ({ value, label: t(`pipelines-ui-job-executor-${value}`) })),
            ]}
            onChange={(executor: ExecutorName | '') => set({ executor: executor === '' ? undefined : executor })}
          />
        )}
      </StepField>
      {(hasContainers(job.executor) || job.image !== undefined) && (
        <StepField name="image" label={t('pipelines-ui-job-image')} help={t('pipelines-ui-job-image-help')} optional>
          {(control) => (
            <BuildImageSelect
              {...control}
              {...(job.image === undefined ? {} : { value: job.image })}
              onChange={(image) => set({ image })}
            />
          )}
        </StepField>
      )}
      {(hasContainers(job.executor) || (job.services ?? []).length > 0) && (
        <ServicesField
          services={job.services ?? []}
          onChange={(services) => set({ services: services.length > 0 ? services : undefined })}
        />
      )}
      <TextsField
        name="labels"
        label={t('pipelines-ui-labels')}
        help={t('pipelines-ui-job-labels-help')}
        optional
        texts={job.labels ?? []}
        onChange={(labels) => set({ labels: labels.length > 0 ? labels : undefined })}
      />
      <NumberField
        name="timeoutMinutes"
        label={t('pipelines-ui-timeout')}
        help={t('pipelines-ui-job-timeout-help')}
        optional
        min={1}
        max={10_080}
        precision={0}
        suffix={t('ui-unit-min')}
        value={job.timeoutMinutes}
        onChange={(timeoutMinutes) => set({ timeoutMinutes })}
      />
      <NumberField
        name="retries.count"
        label={t('pipelines-ui-job-retries')}
        help={t('pipelines-ui-job-retries-help')}
        min={0}
        max={5}
        precision={0}
        value={retries}
        onChange={(count) => set({ retries: count ? { ...job.retries, count } : undefined })}
      />
      {retries > 0 && (
        <TextsField
          name="retries.exitCodes"
          label={t('pipelines-ui-job-exit-codes')}
          help={t('pipelines-ui-job-exit-codes-help')}
          optional
          texts={(job.retries?.exitCodes ?? []).map(String)}
          onChange={(texts) => {
            const exitCodes = [...new Set(texts.map(Number).filter((code) => Number.isInteger(code)))]
            set({ retries: { count: retries, ...(exitCodes.length > 0 && { exitCodes }) } })
          }}
        />
      )}
      <HandsOnField
        files={job.handsOn ?? []}
        onChange={(handsOn) => set({ handsOn: handsOn.length > 0 ? handsOn : undefined })}
      />
      <KeepsWorkspaceField
        keeps={job.keepsWorkspace ?? false}
        onChange={(keeps) => set({ keepsWorkspace: keeps || undefined })}
      />
      <MatrixFields matrix={job.matrix} onChange={(matrix) => set({ matrix })} />
      <ConditionFields
        when={job.when}
        onChange={(when) => set({ when })}
        parameters={parameters.map(({ name }) => name)}
      />
    </SettingsPanel>
  )
}
