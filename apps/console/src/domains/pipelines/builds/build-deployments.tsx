import type { Build } from '@gantry/contract/pipelines/builds'
import { deployments } from '@gantry/contract/stacks/revisions/deployments'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { useRead } from '../../../api/hooks.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { toService } from '../../stacks/stacks/public.ts'
import { stepsOf } from './chosen-step.ts'
import styles from './build.module.css'

/** The services of a build's deploy steps, in their present state. Renders nothing without any. */
export function BuildDeployments({ build, teamId }: { build: Build; teamId: number }) {
  const deploys = stepsOf(build.stages).some(({ type, startedAt }) => type === 'deploy' && startedAt !== null)
  const may = useMay(deployments.ofBuild)
  if (!deploys || !may) return null
  return <Deployments teamId={teamId} buildId={build.queueId} />
}

function Deployments({ teamId, buildId }: { teamId: number; buildId: number }) {
  const query = useRead(deployments.ofBuild, { params: { teamId, buildId } })
  if (!query.data?.length) return null
  return (
    <section className={styles.deployments} aria-label={t('pipelines-ui-deployed-to')}>
      <h2>{t('pipelines-ui-deployed-to')}</h2>
      <ul>
        {query.data.map((one) => (
          <li key={`${one.step} ${one.id}`}>
            <GoTo to={toService(one)}>
              {one.stackName} / {one.name}
            </GoTo>
            <StateBadge state={one.state} />
            <GoTo to={toService(one, { tab: 'revisions' })}>
              {t('pipelines-ui-deployed-revision', { revision: one.deployed })}
            </GoTo>
            {one.revision !== one.deployed && (
              <span className="g-quiet">{t('pipelines-ui-deployed-since', { revision: one.revision })}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
