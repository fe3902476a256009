import { example } from '../../../ui/form/example.ts'
import { AutoComplete, Input, InputNumber, Select } from 'antd'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { AccessMode, storage } from '@gantry/contract/clusters/storage'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'

const types = ['nfs', 'hostPath', 'local'] as const
type Type = (typeof types)[number]

/** Creates a volume from existing storage. */
export function CreateVolumeDialog({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const params = { env: cluster.uuid }
  const drivers = useRead(storage.drivers, { params })
  const create = useWrite(storage.createVolume, {
    done: 'create-success',
    quiet: true,
  })
  const [type, setType] = useState<Type>('nfs')
  return (
    <FormDialog
      title={t('storage-ui-volume-create')}
      onClose={onClose}
      schema={storage.createVolume.body}
      initial={{
        accessModes: ['ReadWriteOnce'],
        reclaimPolicy: 'Retain',
        source: { type: 'nfs', server: '', path: '' },
      }}
      submit={t('storage-ui-volume-create')}
      onChange={({ source }) => source && setType(source.type)}
      onSubmit={(body) => create.mutateAsync({ params, body })}
    >
      <div className="g-columns">
        <Field name="name" label={t('storage-ui-name')} help={t('storage-ui-name-help')}>
          <Input autoFocus autoComplete="off" spellCheck={false} />
        </Field>
        <Field name="capacity" label={t('storage-ui-capacity')}>
          <InputNumber min={0.001} step={1} suffix="GiB" />
        </Field>
      </div>
      <SourceFields type={type} envUuid={cluster.uuid} />
      <Field filled name="accessModes" label={t('storage-ui-modes')}>
        <Select
          mode="multiple"
          showSearch={{ optionFilterProp: 'label' }}
          options={AccessMode.options.map((value) => ({ value, label: t(`storage-ui-mode-${value}`) }))}
        />
      </Field>
      <div className="g-columns">
        <Field name="driver" label={t('storage-ui-driver')} help={t('storage-ui-volume-driver-help')}>
          <AutoComplete options={(drivers.data ?? []).map(({ name }) => ({ value: name }))} />
        </Field>
        <Field filled name="reclaimPolicy" label={t('storage-ui-policy')}>
          <Select
            options={[
              { value: 'Retain', label: t('storage-ui-retain') },
              { value: 'Delete', label: t('storage-ui-delete') },
            ]}
          />
        </Field>
      </div>
    </FormDialog>
  )
}

function SourceFields({ type, envUuid }: { type: Type; envUuid: string }) {
  const { admin } = useUser()
  return (
    <>
      <Field filled name={['source', 'type']} label={t('storage-ui-source')} help={t(`storage-ui-source-${type}-help`)}>
        <Select
          options={types.map((value) => ({
            value,
            label: t(`storage-ui-source-${value}`),
            disabled: value !== 'nfs' && !admin,
            ...(value !== 'nfs' && !admin && { title: t('storage-host-path-admin') }),
          }))}
        />
      </Field>
      <div className="g-columns">
        {type === 'nfs' && (
          <Field filled name={['source', 'server']} label={t('storage-ui-server')}>
            <Input autoComplete="off" spellCheck={false} placeholder={example('nfs.example.com')} />
          </Field>
        )}
        {type === 'local' && (
          <Field filled name={['source', 'host']} label={t('storage-ui-host')}>
            <RemoteSelect
              endpoint={hosts.list}
              input={{ query: { envUuid } }}
              pageSize={20}
              option={({ name }) => ({ value: name, label: name })}
            />
          </Field>
        )}
        <Field filled name={['source', 'path']} label={t('storage-ui-path')}>
          <Input autoComplete="off" spellCheck={false} placeholder={example('/exports/data')} />
        </Field>
      </div>
    </>
  )
}
