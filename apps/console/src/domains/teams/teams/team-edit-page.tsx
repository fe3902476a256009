import { teams, type Team } from '@gantry/contract/teams/teams'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { to, useGo } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { useTab } from '../../../ui/tabs.tsx'
import { TeamQuotas } from '../../quotas/public.tsx'
import { MemberTable } from '../members/member-table.tsx'
import { useRemoveTeam } from './remove-team.ts'
import { TeamFields } from './team-fields.tsx'
import { useAskedTeam } from './use-team-name.ts'

/** The team in `?team_id`, for administrators. */
export function TeamEditPage() {
  const id = useAskedTeam()
  if (id === undefined) return <EmptyState title={t('team-missing')} />
  return <OpenTeam key={id} id={id} />
}

function OpenTeam({ id }: { id: number }) {
  const go = useGo()
  const query = useRead(teams.get, { params: { id } })
  const adding = useDialog()
  const remove = useRemoveTeam()
  const team = query.data
  const tabs = [
    { key: 'settings', label: t('teams-ui-tab-settings') },
    { key: 'members', label: t('route-team-members') },
    { key: 'quotas', label: t('quotas-ui-quotas') },
  ]
  const [tab] = useTab(tabs)
  return (
    <Page
      title={team?.name ?? '…'}
      crumbs={[{ label: t('route-sys-teams'), to: to('sys-teams', {}) }]}
      about={team && t('teams-ui-edit-about', { count: team.userNum, leaders: team.managers.join(', ') || '–' })}
      actions={
        team &&
        (tab === 'members' ? (
          <Button primary icon="add" onClick={() => adding.show(true)}>
            {t('teams-ui-add')}
          </Button>
        ) : (
          <Button
            danger
            icon="delete"
            onClick={() => void remove(team).then((gone) => gone && go(to('sys-teams', {}), { replace: true }))}
          >
            {t('ui-delete')}
          </Button>
        ))
      }
      tabs={tabs}
    >
      <Loaded query={query}>
        {(team) =>
          tab === 'members' ? (
            <MemberTable teamId={id} team={team.name} adding={adding} />
          ) : tab === 'quotas' ? (
            <TeamQuotas team={team} />
          ) : (
            <Settings team={team} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Settings({ team }: { team: Team }) {
  const save = useWrite(teams.update, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <Form
      schema={teams.create.body}
      initial={{ name: team.name, description: team.description }}
      submit={t('ui-save')}
      needs={teams.update}
      onSubmit={(body) => save.mutateAsync({ params: { id: team.id }, body: { ...body, revision: team.updatedAt } })}
    >
      <TeamFields />
    </Form>
  )
}
