import { overview, type Overview } from '@gantry/contract/dashboard/overview'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { useRead } from '../../api/hooks.ts'
import { Loaded } from '../../ui/detail.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { DecisionList, useDecisions } from '../decisions/public.tsx'
import { FirstMinute, useSample } from '../sample/public.tsx'
import { ClusterList } from './cluster-list.tsx'
import { FirstSteps, RepositoryStep } from './first-steps.tsx'
import { LatestBuilds } from './latest-builds.tsx'
import { Tiles } from './tiles.tsx'
import styles from './dashboard.module.css'

/** Refetched in case the push channel is down. */
const askAgainMs = 30_000

const useOverview = (teamId: number) =>
  useRead(overview.get, { params: { teamId } }, { every: askAgainMs, keep: false })

/** The team has no objects that the user may see. */
const isEmpty = ({ pipelines, stacks }: Overview): boolean =>
  (pipelines === null || pipelines.total === 0) && (stacks === null || stacks.total === 0)

/** The team has more than the sample: then the sample no longer comes first. */
const hasOwn = ({ pipelines, stacks }: Overview): boolean => (pipelines?.total ?? 0) > 1 || (stacks?.total ?? 0) > 1

/** The team's dashboard: the guided first minute while the team has nothing, otherwise its figures. */
export function DashboardPage() {
  const teamId = useTeamId()
  const user = useUser()
  const query = useOverview(teamId)
  const made = useSample(teamId)
  const waiting = useDecisions()
  return (
    <Page object="" title={t('dashboard-hello', { name: user.nickname || user.userName })}>
      {/* all at once, because a later part would move the others */}
      <Loaded query={made.isPending || waiting.isPending ? { ...query, data: undefined } : query}>
        {(data) => {
          const empty = isEmpty(data)
          const sample = <FirstMinute teamId={teamId} offer={empty} query={made} />
          return (
            <>
              <DecisionList />
              {!hasOwn(data) && sample}
              {empty ? (
                <FirstSteps teamId={teamId} />
              ) : (
                <>
                  <Tiles overview={data} />
                  <ul className={styles.steps}>
                    <RepositoryStep teamId={teamId} />
                  </ul>
                </>
              )}
              <div className={styles.columns}>
                {data.builds && data.builds.latest.length > 0 && <LatestBuilds builds={data.builds.latest} />}
                <ClusterList teamId={teamId} />
              </div>
              {hasOwn(data) && sample}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
