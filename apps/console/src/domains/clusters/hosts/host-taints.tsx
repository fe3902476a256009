import { Input, Select } from 'antd'
import { hosts, type HostDetail, ownHostKey, Taint } from '@gantry/contract/clusters/hosts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, confirmDelete, useDialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/page.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { whyShared } from './host-marks.tsx'
import { keyColumns } from '../clusters/key-columns.tsx'

const needs = hosts.setTaints

const keyOf = ({ key, effect }: Taint): string => `${key}:${effect}`

/** The taints of a host. A change replaces all except the cluster's own. */
export function HostTaints({ host }: { host: HostDetail }) {
  const adding = useDialog()
  const write = useWrite(hosts.setTaints, { done: 'update-success', quiet: true })
  const shared = whyShared(host)
  const own = host.taints.filter(({ key }) => !ownHostKey(key))
  const save = (taints: Taint[]) =>
    write.mutateAsync({ named: host.name, params: { env: host.envUuid, host: host.name }, body: { taints } })
  const remove = (taint: Taint) =>
    confirmDelete({
      title: t('hosts-ui-remove-key-title', { key: keyOf(taint), name: host.name }),
      run: () => save(own.filter((one) => keyOf(one) !== keyOf(taint))),
    })
  return (
    <Section
      title={t('hosts-ui-taints')}
      about={t('hosts-ui-taints-about')}
      actions={
        <Button icon="add" needs={needs} disabled={shared} onClick={() => adding.show(true)}>
          {t('hosts-ui-taint-add')}
        </Button>
      }
    >
      <ResourceTable
        label={t('hosts-ui-taints')}
        query={atHand(host.taints)}
        rowKey={keyOf}
        columns={[
          ...keyColumns<Taint>(),
          { key: 'effect', title: t('hosts-ui-effect'), cell: (row) => t(`hosts-ui-effect-${row.effect}`) },
        ]}
        actions={(row) => [
          deleteAction({
            needs,
            disabled: shared || (ownHostKey(row.key) && t('hosts-own-key', { key: row.key })),
            onClick: () => void remove(row),
          }),
        ]}
        empty={{ small: true, title: t('hosts-ui-no-taints') }}
      />
      {adding.open && (
        <Dialog title={t('hosts-ui-taint-add')} onClose={adding.hide}>
          <Form
            schema={Taint}
            initial={{ effect: 'NoSchedule', value: '' }}
            submit={t('ui-save')}
            onCancel={adding.hide}
            onSubmit={async (taint) => {
              await save([...own, Taint.parse(taint)])
              adding.hide()
            }}
          >
            <Field name="key" label={t('hosts-ui-key')}>
              <Input autoFocus autoComplete="off" spellCheck={false} />
            </Field>
            <Field name="value" label={t('hosts-ui-value')}>
              <Input autoComplete="off" spellCheck={false} />
            </Field>
            <Field filled name="effect" label={t('hosts-ui-effect')}>
              <Select
                options={Taint.shape.effect.options.map((value) => ({ value, label: t(`hosts-ui-effect-${value}`) }))}
              />
            </Field>
          </Form>
        </Dialog>
      )}
    </Section>
  )
}
