import { Input, InputNumber, Select, Switch } from 'antd'
import { Concurrency } from '@gantry/contract/pipelines/running'
import { Forge } from '@gantry/contract/pipelines/repository-url'
import { t } from '../../../api/language.ts'
import { clearButton } from '../../../ui/form/clear-button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import styles from './pipelines.module.css'

const scopes = Concurrency.shape.scope.unwrap().options

/** Which builds wait for each other, and whether newer ones replace older ones. */
export function ConcurrencyFields() {
  return (
    <>
      <Field
        name={['concurrency', 'scope']}
        label={t('pipelines-ui-concurrency-scope')}
        help={t('pipelines-ui-concurrency-scope-help')}
      >
        <Select options={scopes.map((value) => ({ value, label: t(`pipelines-ui-concurrency-${value}`) }))} />
      </Field>
      <Field
        name={['concurrency', 'name']}
        label={t('pipelines-ui-concurrency-lock')}
        help={t('pipelines-ui-concurrency-lock-help')}
      >
        <Input maxLength={60} />
      </Field>
      <Field
        name={['concurrency', 'newestOnly']}
        label={t('pipelines-ui-newest-only')}
        help={t('pipelines-ui-newest-only-help')}
        value="checked"
      >
        <Switch />
      </Field>
    </>
  )
}

const forges = { gitea: 'Gitea', github: 'GitHub', gitlab: 'GitLab' }

/** The forge that shows the states of builds beside their commits. */
export function CommitStatusField() {
  return (
    <Field name="commitStatus" label={t('pipelines-ui-commit-status')} help={t('pipelines-ui-commit-status-help')}>
      <Select
        allowClear={clearButton()}
        placeholder={t('pipelines-ui-commit-status-none')}
        options={Forge.options.map((value) => ({ value, label: forges[value] }))}
      />
    </Field>
  )
}

/** How long the data of builds is kept. */
export function RetentionFields() {
  const days = <InputNumber min={0} max={3650} precision={0} suffix={t('ui-unit-d')} className={`${styles.wide}`} />
  return (
    <Section title={t('pipelines-ui-retention')} about={t('pipelines-ui-retention-about')}>
      <div className="g-columns">
        <Field filled name="keepBuilds" label={t('pipelines-ui-keep')} help={t('pipelines-ui-keep-help')}>
          <InputNumber min={0} max={10_000} precision={0} className={`${styles.wide}`} />
        </Field>
        <Field filled name={['retention', 'days']} label={t('pipelines-ui-keep-days')}>
          {days}
        </Field>
        <Field filled name={['retention', 'logDays']} label={t('pipelines-ui-keep-log-days')}>
          {days}
        </Field>
        <Field filled name={['retention', 'artifactDays']} label={t('pipelines-ui-keep-artifact-days')}>
          {days}
        </Field>
      </div>
    </Section>
  )
}
