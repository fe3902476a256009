import type { Stack } from '@gantry/contract/stacks/stacks'
import { type StackClaim, topology } from '@gantry/contract/stacks/topology'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'

/** Kubernetes' word for the phase; for a claim that is being deleted, what keeps it. */
function ClaimState({ claim: { phase, held } }: { claim: StackClaim }) {
  if (phase === '') return t('stacks-map-not-read')
  if (held === null) return <StateBadge state={phase} />
  const words =
    held.pods.length > 0
      ? t('stacks-map-held-by-pods', { pods: held.pods.join(', ') })
      : held.by.length > 0 && t('ui-held-by', { finalizers: held.by.join(', ') })
  return (
    <>
      <StateBadge state="deleting" /> {words && <small className="g-faint">{words}</small>}
    </>
  )
}

/** The claims of a stack, with their users and their fate. */
export function ClaimTable({ stack: { id, teamId, envId, name } }: { stack: Stack }) {
  const list = useListState('stack-claims', { pageSize: 20 })
  const query = useRead(
    topology.claims,
    { params: { teamId, envId, name }, query: list.query },
    { of: { stackId: id } },
  )
  return (
    <ResourceTable
      label={t('stacks-map-claims')}
      query={query}
      list={list}
      search={t('stacks-map-claims-search')}
      rowKey={(row) => row.name}
      columns={[
        { key: 'name', title: t('stacks-ui-name'), mono: true, cell: (row) => row.name },
        { key: 'size', title: t('stacks-map-size'), width: 96, align: 'right', cell: (row) => row.size || '–' },
        {
          key: 'usedBy',
          title: t('stacks-map-used-by'),
          cell: (row) => row.usedBy.join(', ') || <span className="g-faint">{t('stacks-map-used-by-nobody')}</span>,
        },
        {
          key: 'state',
          title: t('stacks-ui-state'),
          cell: (row) => <ClaimState claim={row} />,
        },
        {
          key: 'class',
          title: t('stacks-map-class'),
          cell: (row) => row.storageClass || <span className="g-faint">{t('stacks-map-class-default')}</span>,
        },
        {
          key: 'withStack',
          title: t('stacks-map-with-stack'),
          min: 200,
          cell: (row) => t(`stacks-map-with-stack-${row.withStack}`),
        },
      ]}
      empty={{ title: t('stacks-map-claims-none'), memo: t('stacks-map-claims-none-memo') }}
    />
  )
}
