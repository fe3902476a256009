import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { type Quota, quotas } from '@gantry/contract/quotas/quotas'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay, useUser } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, useDialog } from '../../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { type ListState, useListState } from '../../../ui/table/list-state.ts'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable, type Query } from '../../../ui/table/resource-table.tsx'
import { QuotaDialog, QuotaKey, QuotaMeter, TeamNamespaces } from '../../quotas/public.tsx'
import { AssignDialog } from '../hosts/assign-dialog.tsx'
import styles from './clusters.module.css'

type Team = Cluster['teams'][number]
type Row = Quota & { team: Team }

/** The maximum age of the usage figures. */
const everyMs = 15_000

/** The teams that may use a cluster: their quotas there, the shares of their stacks, and their usage. */
export function QuotasTab({ cluster }: { cluster: Cluster }) {
  const all = useMay(quotas.all)
  const teamId = useTeamId()
  return (
    <div className={styles.overview}>
      {all ? <AllTeams cluster={cluster} /> : <OwnTeam cluster={cluster} />}
      {teamId > 0 && <TeamNamespaces teamId={teamId} envUuid={cluster.uuid} />}
    </div>
  )
}

function AllTeams({ cluster }: { cluster: Cluster }) {
  const list = useListState('cluster-teams')
  const query = useRead(quotas.all, { query: { ...list.query, envUuid: cluster.uuid } }, { every: everyMs })
  return <Teams cluster={cluster} query={query} list={list} />
}

function OwnTeam({ cluster }: { cluster: Cluster }) {
  const teamId = useTeamId()
  const team = useUser().teams.find(({ id }) => id === teamId)
  const query = useRead(
    quotas.onEnvironment,
    { params: { teamId, envId: cluster.uuid } },
    { every: everyMs, enabled: team !== undefined },
  )
  const rows = query.data && team ? [{ ...query.data, team: { id: team.id, name: team.name } }] : undefined
  return <Teams cluster={cluster} query={{ ...query, data: team ? rows : [] }} />
}

interface TeamsProps {
  cluster: Cluster
  query: Query<Row>
  list?: ListState
}

function Teams({ cluster, query, list }: TeamsProps) {
  const adding = useDialog()
  const setting = useDialog<Team>()
  const assign = useWrite(clusters.assign, {
    done: 'option-success',
    quiet: true,
  })
  const params = { env: cluster.uuid }
  const takeBack = (team: Team) =>
    confirm({
      title: t('clusters-ui-unassign-title', { team: team.name, cluster: cluster.name }),
      text: t('clusters-ui-unassign-text'),
      danger: true,
      ok: t('clusters-ui-unassign'),
      run: () => assign.mutateAsync({ named: cluster.name, params, query: { tenant: team.id, assigned: 'false' } }),
    })
  const fixed = cluster.sandbox && t('clusters-ui-sandbox-all')
  return (
    <Section
      title={t('clusters-ui-quotas')}
      about={t('quotas-ui-cluster-about')}
      actions={
        <Button icon="add" needs={clusters.assign} disabled={fixed} onClick={() => adding.show(true)}>
          {t('clusters-ui-assign')}
        </Button>
      }
    >
      <QuotaKey />
      <ResourceTable
        label={t('clusters-ui-quotas')}
        query={query}
        {...(list && { list, search: t('quotas-ui-search') })}
        rowKey={(row) => row.team.id}
        nameOf={(row) => row.team.name}
        columns={[
          { key: 'team', title: t('clusters-ui-team'), sort: list !== undefined, cell: (row) => row.team.name },
          ...(['cpu', 'memory'] as const).map((resource) => ({
            key: resource,
            title: t(`stacks-ui-${resource}`),
            sort: list !== undefined,
            cell: (row: Row) => <QuotaMeter bare resource={resource} {...row} />,
          })),
        ]}
        actions={({ team }) => [
          {
            key: 'quota',
            label: t('clusters-ui-quota-set'),
            icon: 'scale',
            needs: quotas.set,
            onClick: () => setting.show(team),
          },
          {
            key: 'unassign',
            label: t('clusters-ui-unassign'),
            icon: 'close',
            danger: true,
            needs: clusters.assign,
            disabled: fixed,
            onClick: () => void takeBack(team),
          },
        ]}
        empty={{ type: 6, title: t('clusters-ui-teams-none'), memo: t('clusters-ui-teams-none-memo') }}
      />
      {setting.open && <QuotaDialog cluster={cluster} team={setting.open} onClose={setting.hide} />}
      {adding.open && <AssignDialog cluster={cluster} onClose={adding.hide} />}
    </Section>
  )
}
