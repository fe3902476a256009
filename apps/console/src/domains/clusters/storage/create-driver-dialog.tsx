import { example } from '../../../ui/form/example.ts'
import { Input, Select, Switch } from 'antd'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { storage } from '@gantry/contract/clusters/storage'
import { useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { linesOf, parametersIn } from './parameters.ts'
import styles from './storage.module.css'

/** Adds a storage class for a provisioner that runs in the cluster. */
export function CreateDriverDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const create = useWrite(storage.createDriver, { done: 'create-success', quiet: true })
  return (
    <FormDialog
      title={t('storage-ui-driver-create')}
      onClose={onClose}
      schema={storage.createDriver.body}
      initial={{ reclaimPolicy: 'Delete', binding: 'WaitForFirstConsumer', expandable: false, isDefault: false }}
      submit={t('storage-ui-driver-create')}
      onSubmit={(body) => create.mutateAsync({ params: { env: cluster.uuid }, body })}
    >
      <Field name="name" label={t('storage-ui-name')} help={t('storage-ui-name-help')}>
        <Input autoFocus autoComplete="off" spellCheck={false} />
      </Field>
      <Field name="provisioner" label={t('storage-ui-provisioner')} help={t('storage-ui-provisioner-help')}>
        <Input autoComplete="off" spellCheck={false} placeholder={example('csi.example.com')} />
      </Field>
      <div className="g-columns">
        <Field filled name="reclaimPolicy" label={t('storage-ui-policy')}>
          <Select
            options={[
              { value: 'Delete', label: t('storage-ui-delete') },
              { value: 'Retain', label: t('storage-ui-retain') },
            ]}
          />
        </Field>
        <Field filled name="binding" label={t('storage-ui-binding')}>
          <Select
            options={(['WaitForFirstConsumer', 'Immediate'] as const).map((value) => ({
              value,
              label: t(`storage-ui-binding-${value}`),
            }))}
          />
        </Field>
      </div>
      <Field name="parameters" label={t('storage-ui-parameters')} help={t('storage-ui-parameters-help')}>
        <Parameters />
      </Field>
      <div className="g-columns">
        <Field name="expandable" label={t('storage-ui-expandable')} value="checked">
          <Switch />
        </Field>
        <Field name="isDefault" label={t('storage-ui-default-set')} help={t('storage-ui-default-help')} value="checked">
          <Switch />
        </Field>
      </div>
    </FormDialog>
  )
}

interface ParametersProps {
  value?: Record<string, string>
  onChange?: (value: Record<string, string>) => void
  id?: string
}

/** `key=value`, one per line. */
function Parameters({ value = {}, onChange, id }: ParametersProps) {
  const [text, setText] = useState(() => linesOf(value))
  return (
    <Input.TextArea
      {...(id === undefined ? {} : { id })}
      className={`${styles.parameters}`}
      rows={3}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange?.(parametersIn(event.target.value))
      }}
    />
  )
}
