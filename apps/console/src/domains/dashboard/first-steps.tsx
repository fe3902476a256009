import { isPhrase, t, type PhraseKey } from '../../api/language.ts'
import { paths } from '../../paths.gen.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { GoTo, type RouteName, to } from '../../ui/link.tsx'
import { useLackingTo } from '../../ui/may.tsx'
import { Section } from '../../ui/page.tsx'
import styles from './dashboard.module.css'

/** The steps of a team's own change, from a repository to a running service; a step without a screen is omitted. */
const steps: readonly { route: string; icon: IconName; memo: PhraseKey }[] = [
  { route: 'pipeline-v1-list', icon: 'pipeline', memo: 'dashboard-step-pipelines' },
  { route: 'thirdparty-registry', icon: 'image', memo: 'dashboard-step-images' },
  { route: 'personal-products', icon: 'product', memo: 'dashboard-step-products' },
  { route: 'app-list', icon: 'app', memo: 'dashboard-step-stacks' },
]

const isThere = (route: string): route is RouteName => route in paths
const titleOf = (route: string): string => {
  const key = `route-${route}`
  return isPhrase(key) ? t(key) : route
}

/** The team's own repository: leads to its first build, for users who may create pipelines. */
export function RepositoryStep({ teamId }: { teamId: number }) {
  const create = to('cd-create', { team_id: teamId })
  if (useLackingTo()(create) !== undefined) return null
  return (
    <li>
      <GoTo to={create}>
        <span className={styles.stepIcon}>
          <Icon name="code" size={20} />
        </span>
        <strong>{t('dashboard-repository')}</strong>
        <span>{t('dashboard-repository-memo')}</span>
      </GoTo>
    </li>
  )
}

export function FirstSteps({ teamId }: { teamId: number }) {
  const there = steps.flatMap(({ route, ...step }) => (isThere(route) ? [{ route, ...step }] : []))
  return (
    <Section title={t('dashboard-own')}>
      <ul className={styles.steps}>
        <RepositoryStep teamId={teamId} />
        {there.map(({ route, icon, memo }) => (
          <li key={route}>
            <GoTo to={{ name: route, params: { team_id: teamId }, search: {} }}>
              <span className={styles.stepIcon}>
                <Icon name={icon} size={20} />
              </span>
              <strong>{titleOf(route)}</strong>
              <span>{t(memo)}</span>
            </GoTo>
          </li>
        ))}
      </ul>
    </Section>
  )
}
