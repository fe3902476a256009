import { quotas, type TeamNamespace } from '@gantry/contract/quotas/quotas'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import type { Column } from '../../ui/table/column.ts'
import { Section } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { QuotaMeter } from './quota-meter.tsx'

const everyMs = 15_000

interface NamespacesProps {
  teamId: number
  /** Only the namespaces of this cluster. */
  envUuid?: string
}

/** The namespaces of a team, each with its stack's share and usage. */
export function TeamNamespaces({ teamId, envUuid }: NamespacesProps) {
  const may = useMay(quotas.namespaces)
  const query = useRead(quotas.namespaces, { params: { teamId } }, { every: everyMs, enabled: may })
  if (!may) return null
  const rows = query.data?.filter((row) => envUuid === undefined || row.envUuid === envUuid)
  const columns: Column<TeamNamespace>[] = [
    { key: 'name', title: t('quotas-ui-namespace'), cell: (row) => row.name },
    ...(envUuid === undefined
      ? [{ key: 'cluster', title: t('quotas-ui-cluster'), cell: (row: TeamNamespace) => row.envName }]
      : []),
    { key: 'stack', title: t('quotas-ui-stack'), cell: (row) => row.stack?.name ?? '–' },
    ...(['cpu', 'memory'] as const).map((resource) => ({
      key: resource,
      title: t(`stacks-ui-${resource}`),
      cell: (row: TeamNamespace) => <QuotaMeter bare resource={resource} hard={row.hard} used={row.used} />,
    })),
  ]
  return (
    <Section title={t('quotas-ui-namespaces')} about={t('quotas-ui-namespaces-about')}>
      <ResourceTable
        label={t('quotas-ui-namespaces')}
        query={{ ...query, data: rows }}
        rowKey={(row) => `${row.envUuid}/${row.name}`}
        columns={columns}
        empty={{ type: 'other', title: t('quotas-ui-namespaces-none'), memo: t('quotas-ui-namespaces-none-memo') }}
      />
    </Section>
  )
}
