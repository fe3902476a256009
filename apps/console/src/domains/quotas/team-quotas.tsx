import { type Quota, quotas } from '@gantry/contract/quotas/quotas'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { QuotaDialog } from './quota-dialog.tsx'
import { QuotaKey, QuotaMeter } from './quota-meter.tsx'
import { TeamNamespaces } from './team-namespaces.tsx'

const everyMs = 15_000

/** A team's quota, allocated shares and usage on each of its clusters, and its namespaces there. */
export function TeamQuotas({ team }: { team: { id: number; name: string } }) {
  const query = useRead(quotas.ofTeam, { params: { teamId: team.id } }, { every: everyMs })
  const setting = useDialog<Quota>()
  return (
    <>
      <Section title={t('quotas-ui-quotas')} about={t('quotas-ui-about')}>
        <QuotaKey />
        <ResourceTable
          label={t('quotas-ui-quotas')}
          query={query}
          rowKey={(row) => row.envUuid}
          nameOf={(row) => row.envName}
          columns={[
            { key: 'cluster', title: t('quotas-ui-cluster'), cell: (row) => row.envName },
            ...(['cpu', 'memory'] as const).map((resource) => ({
              key: resource,
              title: t(`stacks-ui-${resource}`),
              cell: (row: Quota) => <QuotaMeter bare resource={resource} {...row} />,
            })),
          ]}
          actions={(row) => [
            {
              key: 'quota',
              label: t('clusters-ui-quota-set'),
              icon: 'scale',
              needs: quotas.set,
              onClick: () => setting.show(row),
            },
          ]}
          empty={{ type: 6, title: t('quotas-ui-none'), memo: t('quotas-ui-none-memo') }}
        />
      </Section>
      <TeamNamespaces teamId={team.id} />
      {setting.open && (
        <QuotaDialog
          cluster={{ uuid: setting.open.envUuid, name: setting.open.envName }}
          team={team}
          onClose={setting.hide}
        />
      )}
    </>
  )
}
