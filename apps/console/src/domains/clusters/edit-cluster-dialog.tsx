import { Input, Modal } from 'antd'
import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Field, Form } from '../../ui/form.tsx'
import { atKubeconfig, KubeconfigFields } from './kubeconfig-fields.tsx'

/** Renames a cluster, or reaches it by another kubeconfig, which is checked first. */
export function EditClusterDialog({ cluster, onClose }: { cluster: Environment; onClose: () => void }) {
  const update = useWrite(environments.update, {
    refreshes: [environments.list, environments.ofTeam, environments.get],
    done: 'update-success',
    quiet: true,
  })
  return (
    <Modal
      open
      width={640}
      title={t('clusters-ui-edit-title', { name: cluster.name })}
      footer={null}
      onCancel={onClose}
    >
      <Form
        schema={environments.update.body}
        initial={{ name: cluster.name, description: cluster.description }}
        submit={t('ui-save')}
        onCancel={onClose}
        onSubmit={async (body) => {
          try {
            await update.mutateAsync({ params: { uuid: cluster.uuid }, body })
          } catch (error) {
            throw atKubeconfig(error)
          }
          onClose()
        }}
      >
        <Field name="name" label={t('clusters-ui-name')}>
          <Input autoFocus maxLength={30} />
        </Field>
        <Field name="description" label={t('clusters-ui-description')}>
          <Input.TextArea rows={2} maxLength={1000} />
        </Field>
        <KubeconfigFields replaces />
      </Form>
    </Modal>
  )
}
