import { Modal } from 'antd'
import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { quotas } from '@gantry/contract/quotas/quotas'
import { teams } from '@gantry/contract/teams/teams'
import { z } from 'zod'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { confirm, useDialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { useListState, type ListState } from '../../ui/list-state.ts'
import { Section } from '../../ui/page.tsx'
import { ResourceTable, type Query } from '../../ui/resource-table.tsx'
import { ShareMeter } from '../stacks/public.tsx'
import { TeamsSelect } from '../teams/public.tsx'
import { QuotaDialog } from './quota-dialog.tsx'

type Team = Environment['teams'][number]

/** The teams that may use a cluster, each with its quota there and what of it is given to stacks. */
export function ClusterTeams({ cluster }: { cluster: Environment }) {
  const { admin } = useUser()
  const list = useListState('cluster-teams')
  const query = useTeamsOf(cluster, list)
  const adding = useDialog()
  const setting = useDialog<Team>()
  const assign = useWrite(environments.assign, {
    refreshes: [environments.get, environments.list, environments.ofTeam],
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
      run: () => assign.mutateAsync({ params, query: { tenant: team.id, assigned: 'false' } }),
    })
  const disabled = !admin && t('admin-only')
  const fixed = disabled || (cluster.sandbox && t('clusters-ui-sandbox-all'))
  return (
    <Section
      title={t('clusters-ui-quotas')}
      about={t('clusters-ui-quotas-about')}
      actions={
        <Button icon="add" disabled={fixed} onClick={() => adding.show(true)}>
          {t('clusters-ui-assign')}
        </Button>
      }
    >
      <ResourceTable
        label={t('clusters-ui-quotas')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'team', title: t('clusters-ui-team'), cell: (row) => row.name },
          {
            key: 'quota',
            title: t('clusters-ui-quota'),
            cell: (row) => <TeamQuota teamId={row.id} envId={cluster.uuid} />,
          },
        ]}
        actions={(row) => [
          {
            key: 'quota',
            label: t('clusters-ui-quota-set'),
            icon: 'scale',
            disabled,
            onClick: () => setting.show(row),
          },
          {
            key: 'unassign',
            label: t('clusters-ui-unassign'),
            icon: 'close',
            danger: true,
            disabled: fixed,
            onClick: () => void takeBack(row),
          },
        ]}
        empty={{ type: 6, title: t('clusters-ui-teams-none'), memo: t('clusters-ui-teams-none-memo') }}
      />
      {setting.open && <QuotaDialog cluster={cluster} team={setting.open} onClose={setting.hide} />}
      {adding.open && (
        <AssignDialog
          cluster={cluster}
          onClose={adding.hide}
          onAssign={(tenant) => assign.mutateAsync({ params, query: { tenant } })}
        />
      )}
    </Section>
  )
}

/**
 * The sandbox is every team's: administrators see all of them, members their own. A page at a time, for each row asks for
 * its team's quota.
 */
function useTeamsOf(cluster: Environment, { page, pageSize, query }: ListState): Query<Team> {
  const { admin, teams: mine } = useUser()
  const teamId = useTeamId()
  const all = useRead(teams.brief, { query }, { enabled: cluster.sandbox && admin })
  if (cluster.sandbox && admin) return all
  const own = cluster.sandbox ? mine.filter(({ id }) => id === teamId) : cluster.teams
  const items = own.slice((page - 1) * pageSize, page * pageSize)
  const data = { items, requestPage: page, pageSize, totalSize: own.length }
  return { data, error: null, isPending: false, isFetching: false, refetch: () => undefined }
}

function TeamQuota({ teamId, envId }: { teamId: number; envId: string }) {
  const query = useRead(quotas.onEnvironment, { params: { teamId, envId } })
  return (
    <Loaded query={query}>
      {({ hard, allocated }) => (
        <div className="g-columns c-quota">
          <ShareMeter resource="cpu" used={allocated} quota={hard} />
          <ShareMeter resource="memory" used={allocated} quota={hard} />
        </div>
      )}
    </Loaded>
  )
}

const chosen = z.strictObject({ teamIds: environments.create.body.shape.teamIds })

interface AssignProps {
  cluster: Environment
  onAssign: (teamId: number) => Promise<unknown>
  onClose: () => void
}

function AssignDialog({ cluster, onAssign, onClose }: AssignProps) {
  return (
    <Modal open title={t('clusters-ui-assign-title', { name: cluster.name })} footer={null} onCancel={onClose}>
      <Form
        schema={chosen}
        submit={t('clusters-ui-assign')}
        onCancel={onClose}
        onSubmit={async ({ teamIds = [] }) => {
          for (const teamId of teamIds) await onAssign(teamId)
          onClose()
        }}
      >
        <Field filled name="teamIds" label={t('clusters-ui-teams')} help={t('clusters-ui-teams-help')}>
          <TeamsSelect without={cluster.teams.map(({ id }) => id)} />
        </Field>
      </Form>
    </Modal>
  )
}
