import { kubeconfigHours, stacks, type Stack } from '@gantry/contract/stacks/stacks'
import { Select } from 'antd'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { saveText } from '../../../api/transfer.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { exactTime } from '../../../ui/format.ts'

const options = kubeconfigHours.map((hours) => ({
  value: hours,
  label: hours === 1 ? t('stacks-ui-kubeconfig-hour') : t('stacks-ui-kubeconfig-many', { hours }),
}))

/** Asks for the validity, and saves a kubeconfig for the namespace of a stack. */
export function KubeconfigDialog({ stack, onClose }: { stack: Stack; onClose: () => void }) {
  const { namespace } = stack
  const issue = useWrite(stacks.kubeconfig, { quiet: true })
  const params = { teamId: stack.teamId, envId: stack.envId, stackId: stack.uuid }
  return (
    <FormDialog
      title={t('stacks-ui-kubeconfig-title', { name: stack.name })}
      onClose={onClose}
      schema={stacks.kubeconfig.body}
      initial={{ hours: 8 }}
      submit={t('stacks-ui-kubeconfig-download')}
      needs={stacks.kubeconfig}
      onSubmit={async (body) => {
        const { kubeconfig, until } = await issue.mutateAsync({ named: stack.name, params, body })
        saveText(kubeconfig, `${namespace}.kubeconfig`, 'application/yaml')
        toast.ok(t('stacks-ui-kubeconfig-done', { until: exactTime(until) }))
      }}
    >
      <p className="g-dialog-text">{t('stacks-ui-kubeconfig-about', { namespace })}</p>
      <Field filled name="hours" label={t('stacks-ui-kubeconfig-hours')}>
        <Select options={options} />
      </Field>
    </FormDialog>
  )
}
