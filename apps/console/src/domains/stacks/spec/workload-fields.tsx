import { Form as Antd, Input, InputNumber, Select, Switch } from 'antd'
import { JobRules, Workload, workloadKinds } from '@gantry/contract/stacks/spec-run'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { Field } from '../../../ui/form/form.tsx'

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The type of a service's workload, which cannot be changed later. */
export function WorkloadFields({ fixed }: { fixed: boolean }) {
  const form = Antd.useFormInstance()
  const workload: Workload = Antd.useWatch('workload', form) ?? 'deployment'
  const ends = workload === 'job' || workload === 'cronjob'
  return (
    <>
      {!fixed && (
        <Field filled name="workload" label={t('stacks-ui-field-workload')} help={t(`stacks-ui-workload-${workload}`)}>
          <Select
            className="g-select"
            placeholder={workloadKinds.deployment}
            options={Workload.options.map((value) => ({ value, label: workloadKinds[value] }))}
            onChange={(next: Workload) => {
              // Each type has its own settings, and no others.
              const runs = next === 'job' || next === 'cronjob'
              form.setFieldsValue({
                job: runs ? (form.getFieldValue('job') ?? JobRules.parse({})) : undefined,
                schedule: next === 'cronjob' ? { zone: localZone(), overlap: 'wait', paused: false } : undefined,
                ...(next === 'deployment' ? {} : { rollout: undefined }),
                ...(next === 'deployment' || next === 'statefulset' ? {} : { autoscaling: undefined }),
              })
            }}
          />
        </Field>
      )}
      {workload === 'cronjob' && <ScheduleFields />}
      {ends && (
        <div className="g-columns">
          <Field filled name={['job', 'completions']} label={t('stacks-ui-job-completions')}>
            <InputNumber min={1} max={1000} precision={0} />
          </Field>
          <Field filled name={['job', 'parallelism']} label={t('stacks-ui-job-parallelism')}>
            <InputNumber min={1} max={100} precision={0} />
          </Field>
          <Field filled name={['job', 'retries']} label={t('stacks-ui-job-retries')}>
            <InputNumber min={0} max={100} precision={0} />
          </Field>
          <Field name={['job', 'deadlineSeconds']} label={t('stacks-ui-job-deadline')}>
            <InputNumber min={1} max={604_800} precision={0} suffix={t('stacks-ui-seconds')} />
          </Field>
        </div>
      )}
    </>
  )
}

function ScheduleFields() {
  return (
    <div className="g-columns">
      <Field
        filled
        name={['schedule', 'cron']}
        label={t('stacks-ui-schedule-cron')}
        help={t('stacks-ui-schedule-cron-help')}
      >
        <Input className="g-mono" spellCheck={false} autoComplete="off" placeholder={example('0 3 * * 1-5')} />
      </Field>
      <Field filled name={['schedule', 'zone']} label={t('stacks-ui-schedule-zone')}>
        <Select showSearch options={Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))} />
      </Field>
      <Field filled name={['schedule', 'overlap']} label={t('stacks-ui-schedule-overlap')}>
        <Select
          options={(['wait', 'replace'] as const).map((value) => ({
            value,
            label: t(`stacks-ui-schedule-overlap-${value}`),
          }))}
        />
      </Field>
      <Field filled name={['schedule', 'paused']} label={t('stacks-ui-schedule-paused')} value="checked">
        <Switch />
      </Field>
    </div>
  )
}
