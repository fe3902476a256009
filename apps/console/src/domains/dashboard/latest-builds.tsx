import type { LatestBuild } from '@gantry/contract/dashboard/overview'
import { t } from '../../api/language.ts'
import { duration } from '../../ui/format.ts'
import { GoTo, to } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './dashboard.module.css'

/** What was built, and for whom. */
const memoOf = ({ commitMessage, userCause }: LatestBuild): string =>
  [commitMessage.split('\n', 1)[0], userCause].filter(Boolean).join(' · ')

export function LatestBuilds({ builds }: { builds: readonly LatestBuild[] }) {
  return (
    <Section title={t('dashboard-latest')} actions={<GoTo to={to('cd-builds')}>{t('dashboard-latest-all')}</GoTo>}>
      <ul className={styles.list}>
        {builds.map((build) => (
          <li key={`${build.pipelineId}/${build.number}`}>
            <StateBadge state={build.state} />
            <span className={styles.listMain}>
              <GoTo
                to={to('cd-build-info', {
                  pipeline_group_id: build.groupId,
                  pipeline_id: build.pipelineId,
                  build_number: build.number,
                })}
              >
                {build.pipelineName} <span className="g-num">#{build.number}</span>
              </GoTo>
              <span className={styles.listMemo}>{memoOf(build)}</span>
            </span>
            <span className={styles.listEnd}>
              {build.startedAt !== null && build.endedAt !== null && (
                <span className="g-num">{duration(Date.parse(build.endedAt) - Date.parse(build.startedAt))}</span>
              )}
              <Time at={build.endedAt ?? build.queuedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
