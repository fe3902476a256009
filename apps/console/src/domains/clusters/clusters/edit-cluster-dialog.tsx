import { Input } from 'antd'
import { useState } from 'react'
import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { WayChoice, WayFields } from './way-fields.tsx'
import { atField, credentialsIn, schemaOfEditing, type ConnectionMethod } from './cluster-credentials.ts'

/** Renames a cluster, or replaces its connection method, which is checked first. */
export function EditClusterDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const [way, setWay] = useState<ConnectionMethod>()
  const update = useWrite(clusters.update, {
    done: 'update-success',
    quiet: true,
  })
  return (
    <Dialog width={720} title={t('clusters-ui-edit-title', { name: cluster.name })} onClose={onClose}>
      <Form
        schema={schemaOfEditing(way)}
        initial={{ name: cluster.name, description: cluster.description }}
        submit={t('ui-save')}
        onCancel={onClose}
        onSubmit={async ({ name, description, ...typed }) => {
          const body = { name, description, revision: cluster.revision, ...(way && credentialsIn(way, typed)) }
          try {
            await update.mutateAsync({ named: name ?? cluster.name, params: { uuid: cluster.uuid }, body })
          } catch (error) {
            throw atField(way, error)
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
        <WayChoice keep way={way} onChange={setWay} />
        <WayFields way={way} />
      </Form>
    </Dialog>
  )
}
