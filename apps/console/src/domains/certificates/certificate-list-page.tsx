import { type Certificate, certificates, CertificateState } from '@gantry/contract/certificates/certificates'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { useListState } from '../../ui/table/list-state.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import { deleteAction } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'
import { AllocationDialog } from './allocation-dialog.tsx'
import { briefNames } from './names.ts'

const states = ['all', ...CertificateState.options] as const

export function CertificateListPage() {
  const go = useGo()
  const list = useListState('sys-certificates', { filters: { state: 'all' } })
  const query = useRead(certificates.list, { query: list.query })
  const allocating = useDialog<Certificate>()
  const remove = useWrite(certificates.remove, { done: 'delete-success', quiet: true })
  const open = (row: Certificate) => to('sys-domains', { certificate_id: row.id })
  const askRemove = (row: Certificate) =>
    confirmDelete({
      title: t('certificates-ui-delete-title', { name: row.name }),
      ...(row.domains > 0 && { goes: [t('certificates-ui-goes-domains', { count: row.domains })] }),
      run: () => remove.mutateAsync({ named: row.name, params: { certificateId: row.id } }),
    })
  return (
    <ListPage
      title={t('route-sys-certificates')}
      about={t('certificates-ui-about')}
      add={{ label: t('certificates-ui-add'), onClick: () => go(to('sys-certificate-add')) }}
      query={query}
      list={list}
      search={t('certificates-ui-search')}
      filters={[
        {
          name: 'state',
          label: t('certificates-ui-state'),
          options: states.map((value) => ({
            value,
            label: value === 'all' ? t('certificates-ui-all-states') : t(`state-${value}`),
          })),
        },
      ]}
      rowKey={(row) => row.id}
      nameOf={(row) => row.name}
      open={open}
      columns={[
        { key: 'name', title: t('certificates-ui-name'), sort: true, cell: (row) => row.name },
        { key: 'names', title: t('certificates-ui-names'), cell: (row) => briefNames(row.names) },
        {
          key: 'state',
          title: t('certificates-ui-state'),
          width: 144,
          cell: (row) => <StateBadge state={row.state} />,
        },
        timeColumn('until', t('certificates-ui-until'), { sort: true }),
        {
          key: 'daysLeft',
          title: t('certificates-ui-days'),
          align: 'right',
          width: 112,
          cell: (row) => Math.max(0, row.daysLeft),
        },
        {
          key: 'teams',
          title: t('certificates-ui-teams'),
          cell: (row) => row.teams.map(({ name }) => name).join(', ') || t('certificates-ui-teams-none'),
        },
        numberColumn('domains', t('certificates-ui-domains'), { width: 96, wideOnly: true }),
        numberColumn('services', t('certificates-ui-services'), { width: 96, wideOnly: true }),
      ]}
      actions={(row) => [
        {
          key: 'allocate',
          label: t('certificates-ui-assign'),
          icon: 'team',
          onClick: () => allocating.show(row),
        },
        {
          key: 'renew',
          label: t('certificates-ui-renew'),
          icon: 'refresh',
          onClick: () => go(to('sys-certificate-add', {}, { id: row.id })),
        },
        deleteAction({ onClick: () => void askRemove(row) }),
      ]}
      empty={{ type: 1, title: t('certificates-ui-none'), memo: t('certificates-ui-none-memo') }}
    >
      {allocating.open && <AllocationDialog certificate={allocating.open} onClose={allocating.hide} />}
    </ListPage>
  )
}
