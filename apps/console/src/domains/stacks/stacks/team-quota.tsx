import type { Amount, Quota } from '@gantry/contract/quotas/quotas'
import { quotas } from '@gantry/contract/quotas/quotas'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { figure, ShareMeter } from './share-after.tsx'
import styles from './stacks.module.css'

const resources = ['cpu', 'memory'] as const

/** The problem of a share of this size, given the team's other stacks; undefined if it fits. */
export function shareProblem({ hard, allocated }: Quota, mine: Amount, wanted: Amount): string | undefined {
  for (const resource of resources) {
    const limit = hard[resource]
    if (limit === null) continue
    const left = figure(limit - allocated[resource] + (mine[resource] ?? 0))
    const share = wanted[resource]
    if (share === null) return t(`quotas-share-needed-${resource}`, { hard: limit, left: Math.max(0, left) })
    if (share > left + 0.001) return t(`stacks-ui-team-short-${resource}`, { free: figure(share - left), hard: limit })
  }
  return undefined
}

export const noShare: Amount = { cpu: null, memory: null }

export function useTeamQuota(teamId: number, envId: string | undefined) {
  return useRead(
    quotas.onEnvironment,
    { params: { teamId, envId: envId ?? '' } },
    { enabled: envId !== undefined, keep: false },
  )
}

interface TeamQuotaProps {
  query: ReturnType<typeof useTeamQuota>
  /** The present share of the stack. */
  mine?: Amount
  wanted: Amount
}

/** The team's quota on a cluster, with the stack's share now and after the change. */
export function TeamQuotaAfter({ query, mine = noShare, wanted }: TeamQuotaProps) {
  return (
    <Loaded query={query}>
      {(quota) => {
        const after = {
          cpu: quota.allocated.cpu - (mine.cpu ?? 0) + (wanted.cpu ?? 0),
          memory: quota.allocated.memory - (mine.memory ?? 0) + (wanted.memory ?? 0),
        }
        const problem = shareProblem(quota, mine, wanted)
        return (
          <div className={styles.share} aria-live="polite">
            <p className="g-small">{t('stacks-ui-team-quota', { cluster: quota.envName })}</p>
            {resources.map((resource) => (
              <ShareMeter key={resource} resource={resource} used={quota.allocated} quota={quota.hard} after={after} />
            ))}
            <Problem text={problem} />
          </div>
        )
      }}
    </Loaded>
  )
}
