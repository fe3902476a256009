import { Input } from 'antd'
import { useState } from 'react'
import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
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
    <FormDialog
      width={720}
      title={t('clusters-ui-edit-title', { name: cluster.name })}
      onClose={onClose}
      schema={schemaOfEditing(way)}
      initial={{ name: cluster.name, description: cluster.description }}
      submit={t('ui-save')}
      onSubmit={async ({ name, description, ...typed }) => {
        const body = { name, description, revision: cluster.revision, ...(way && credentialsIn(way, typed)) }
        try {
          await update.mutateAsync({ named: name ?? cluster.name, params: { uuid: cluster.uuid }, body })
        } catch (error) {
          throw atField(way, error)
        }
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
    </FormDialog>
  )
}
