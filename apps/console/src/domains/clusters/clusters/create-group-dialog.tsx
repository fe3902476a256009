import { ingressGroups, type IngressGroup } from '@gantry/contract/clusters/ingress-groups'
import { AutoComplete, Input, Switch } from 'antd'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'

interface CreateGroupDialogProps {
  env: string
  groups: readonly IngressGroup[]
  onClose: () => void
}

/** Adds an ingress class for a controller that runs in the cluster. */
export function CreateGroupDialog({ env, groups, onClose }: CreateGroupDialogProps) {
  const create = useWrite(ingressGroups.create, {
    done: 'create-success',
    quiet: true,
  })
  const controllers = [...new Set(groups.map(({ controller }) => controller))]
  return (
    <FormDialog
      title={t('ingress-ui-create')}
      onClose={onClose}
      schema={ingressGroups.create.body}
      initial={{ isDefault: false, ...(controllers.length === 1 && { controller: controllers[0] }) }}
      submit={t('ingress-ui-create')}
      onSubmit={(body) => create.mutateAsync({ params: { env }, body })}
    >
      <Field name="name" label={t('ingress-ui-name')} help={t('ingress-ui-name-help')}>
        <Input autoFocus autoComplete="off" spellCheck={false} />
      </Field>
      <Field name="controller" label={t('ingress-ui-controller')} help={t('ingress-ui-controller-help')}>
        <AutoComplete options={controllers.map((value) => ({ value }))} />
      </Field>
      <Field name="isDefault" label={t('ingress-ui-default-set')} help={t('ingress-ui-default-help')} value="checked">
        <Switch />
      </Field>
    </FormDialog>
  )
}
