import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../api/hooks.ts'
import { isPhrase, t, type PhraseKey } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { paths } from '../../paths.gen.ts'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { GoTo, useTeamId, type RouteName } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import './dashboard.css'

/** The way of a change, from a repository to a running service; a step whose screen is not there yet is left out. */
const steps: readonly { route: string; icon: IconName; memo: PhraseKey }[] = [
  { route: 'pipeline-v1-list', icon: 'pipeline', memo: 'dashboard-step-pipelines' },
  { route: 'thirdparty-registry', icon: 'image', memo: 'dashboard-step-images' },
  { route: 'personal-products', icon: 'product', memo: 'dashboard-step-products' },
  { route: 'app-list', icon: 'app', memo: 'dashboard-step-stacks' },
  { route: 'resourcemanager-environments-new', icon: 'cluster', memo: 'dashboard-step-clusters' },
  { route: 'team-members', icon: 'team', memo: 'dashboard-step-members' },
]

const isThere = (route: string): route is RouteName => route in paths
const titleOf = (route: string): string => {
  const key = `route-${route}`
  return isPhrase(key) ? t(key) : route
}

export function DashboardPage() {
  const id = useTeamId()
  const user = useUser()
  const team = useRead(teams.get, { params: { id } })
  const there = steps.filter((step) => isThere(step.route))
  return (
    <Page title={t('dashboard-hello', { name: user.nickname || user.userName })} about={t('dashboard-memo')}>
      {there.length > 0 && (
        <ol className="d-steps">
          {there.map(({ route, icon, memo }) => (
            <li key={route}>
              <GoTo to={{ name: route as RouteName, params: { team_id: id }, search: {} }}>
                <span className="d-step-icon">
                  <Icon name={icon} size={20} />
                </span>
                <strong>{titleOf(route)}</strong>
                <span>{t(memo)}</span>
              </GoTo>
            </li>
          ))}
        </ol>
      )}
      <Section title={t('dashboard-team')}>
        <Loaded query={team}>
          {(data) => (
            <Facts
              facts={[
                { label: t('dashboard-team-name'), value: data.name },
                { label: t('dashboard-team-creator'), value: data.creator || t('dashboard-system') },
                { label: t('dashboard-team-leaders'), value: data.managers.join(', ') },
                { label: t('dashboard-team-people'), value: <span className="g-num">{data.userNum}</span> },
                { label: t('dashboard-team-created'), value: <Time at={data.createdAt} /> },
                { label: t('dashboard-team-about'), value: data.description, wide: true },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
