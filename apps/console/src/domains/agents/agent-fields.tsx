import { InputNumber, Select } from 'antd'
import { t } from '../../api/language.ts'
import { Field } from '../../ui/form/form.tsx'
import { ClusterSelect } from '../clusters/public.tsx'
import { TeamSelect } from '../teams/public.tsx'

/** The editable fields of an agent, in a Form. */
export function AgentFields({ teamName, environmentName }: { teamName?: string; environmentName?: string }) {
  return (
    <>
      <Field name="labels" label={t('agents-ui-labels')} help={t('agents-ui-labels-help')}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
      </Field>
      <Field name="capacity" label={t('agents-ui-capacity')} help={t('agents-ui-capacity-help')}>
        <InputNumber min={1} max={100} />
      </Field>
      <Field filled name="teamId" label={t('agents-ui-team')} help={t('agents-ui-team-help')}>
        <TeamSelect none={t('agents-ui-team-all')} valueLabel={teamName} />
      </Field>
      <Field filled name="environment" label={t('agents-ui-cluster')} help={t('agents-ui-cluster-help')}>
        <ClusterSelect none={t('agents-ui-cluster-none')} valueLabel={environmentName} />
      </Field>
    </>
  )
}
