import { Input } from 'antd'
import { hosts, type HostDetail, ownHostKey } from '@gantry/contract/clusters/hosts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { whyShared } from './host-marks.tsx'
import { HostTaints } from './host-taints.tsx'
import { keyColumns } from '../clusters/key-columns.tsx'
import styles from './hosts.module.css'

type Kind = 'labels' | 'annotations'

const words = {
  labels: {
    title: 'hosts-ui-labels',
    about: 'hosts-ui-labels-about',
    add: 'hosts-ui-label-add',
    none: 'hosts-ui-no-labels',
    set: hosts.setLabel,
    unset: hosts.removeLabel,
  },
  annotations: {
    title: 'hosts-ui-annotations',
    about: 'hosts-ui-annotations-about',
    add: 'hosts-ui-annotation-add',
    none: 'hosts-ui-no-annotations',
    set: hosts.setAnnotation,
    unset: hosts.removeAnnotation,
  },
} as const

/** Labels, taints and annotations of a host; the cluster's own are shown but cannot be changed. */
export const HostLabels = ({ host }: { host: HostDetail }) => (
  <div className={styles.page}>
    <Keys host={host} kind="labels" />
    <HostTaints host={host} />
    <Keys host={host} kind="annotations" />
  </div>
)

function Keys({ host, kind }: { host: HostDetail; kind: Kind }) {
  const editing = useDialog<{ key: string; value: string }>()
  const options = { done: 'delete-success', quiet: true } as const
  const label = useWrite(hosts.removeLabel, options)
  const annotation = useWrite(hosts.removeAnnotation, options)
  const params = { env: host.envUuid }
  const shared = whyShared(host)
  const rows = Object.entries(host[kind])
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (ownHostKey(a.key) === ownHostKey(b.key) ? (a.key < b.key ? -1 : 1) : ownHostKey(a.key) ? 1 : -1))
  const remove = (key: string) =>
    confirmDelete({
      title: t('hosts-ui-remove-key-title', { key, name: host.name }),
      run: () =>
        (kind === 'labels' ? label : annotation).mutateAsync({ named: key, params, query: { host: host.name, key } }),
    })
  const { title, about, add, none, set, unset } = words[kind]
  return (
    <Section
      title={t(title)}
      about={t(about)}
      actions={
        <Button icon="add" needs={set} disabled={shared} onClick={() => editing.show({ key: '', value: '' })}>
          {t(add)}
        </Button>
      }
    >
      <ResourceTable
        label={t(title)}
        query={atHand(rows)}
        rowKey={(row) => row.key}
        nameOf={(row) => row.key}
        columns={keyColumns()}
        actions={(row) => {
          const disabled = shared || (ownHostKey(row.key) && t('hosts-own-key', { key: row.key }))
          return [
            editAction({ needs: set, disabled, onClick: () => editing.show(row) }),
            deleteAction({ needs: unset, disabled, onClick: () => void remove(row.key) }),
          ]
        }}
        empty={{ small: true, title: t(none) }}
      />
      {editing.open && <KeyDialog host={host} kind={kind} given={editing.open} title={t(add)} onClose={editing.hide} />}
    </Section>
  )
}

interface KeyDialogProps {
  host: HostDetail
  kind: Kind
  given: { key: string; value: string }
  title: string
  onClose: () => void
}

function KeyDialog({ host, kind, given, title, onClose }: KeyDialogProps) {
  const options = { done: 'update-success', quiet: true } as const
  const label = useWrite(hosts.setLabel, options)
  const annotation = useWrite(hosts.setAnnotation, options)
  const labels = kind === 'labels'
  return (
    <FormDialog
      title={given.key || title}
      onClose={onClose}
      schema={labels ? hosts.setLabel.body : hosts.setAnnotation.body}
      initial={{ host: host.name, ...given }}
      submit={t('ui-save')}
      onSubmit={async ({ key, value = '' }) => {
        await (labels ? label : annotation).mutateAsync({
          named: key,
          params: { env: host.envUuid },
          body: { host: host.name, key, value },
        })
      }}
    >
      <Field name="key" label={t('hosts-ui-key')}>
        <Input autoFocus={given.key === ''} readOnly={given.key !== ''} autoComplete="off" spellCheck={false} />
      </Field>
      <Field filled name="value" label={t('hosts-ui-value')}>
        {labels ? (
          <Input autoFocus={given.key !== ''} autoComplete="off" spellCheck={false} />
        ) : (
          <Input.TextArea autoFocus={given.key !== ''} rows={4} />
        )}
      </Field>
    </FormDialog>
  )
}
