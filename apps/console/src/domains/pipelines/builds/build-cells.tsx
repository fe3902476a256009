import { builds, type BuildSummary } from '@gantry/contract/pipelines/builds'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useGo } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { causeOf, firstLine, shortCommit } from '../definition/words.ts'
import { type PipelinePlace, toArtifacts, toBuild } from '../pipelines/places.ts'
import { BuildDuration } from './duration.tsx'
import { canStop, useStop } from './stop.ts'
import styles from './build.module.css'

/** The build's number, and marks for pinned builds and drafts. */
export const Numbered = ({ build: { number, pinned, draft } }: { build: BuildSummary }) => (
  <>
    #{number} {pinned && <Icon name="lock" size={14} label={t('pipelines-ui-pinned')} />}
    {draft && <span className="g-tag">{t('pipelines-ui-draft')}</span>}
  </>
)

/** The built commit: its message, and a link to it. */
function Commit({ build }: { build: BuildSummary }) {
  const ref = build.tag === '' ? build.branch : build.tag
  if (ref === '' && build.commit === '') return <span className="g-faint">–</span>
  return (
    <span className={styles.commit}>
      {build.commitMessage !== '' && <span className="g-clip">{firstLine(build.commitMessage)}</span>}
      <span className="g-mono g-quiet">
        {build.fork ? t('pipelines-ui-branch-of-fork', { branch: ref }) : ref}
        {build.commit !== '' && `@${shortCommit(build.commit)}`}
      </span>
    </span>
  )
}

function Tests({ build: { tests } }: { build: BuildSummary }) {
  if (!tests) return <span className="g-faint">–</span>
  return (
    <span className="g-num">
      {tests.failed > 0 ? (
        <span className="g-bad">{t('pipelines-ui-tests-failed-of', { failed: tests.failed, total: tests.total })}</span>
      ) : (
        t('pipelines-ui-tests-passed', { count: tests.total - tests.skipped })
      )}
    </span>
  )
}

/** The first columns of every list of builds. */
export const buildColumns = (): Column<BuildSummary>[] => [
  { key: 'state', title: t('pipelines-ui-state'), cell: (row) => <StateBadge state={row.state} /> },
  { key: 'commit', title: t('pipelines-ui-commit'), cell: (row) => <Commit build={row} /> },
  { key: 'cause', title: t('pipelines-ui-cause'), cell: causeOf, wideOnly: true },
  {
    key: 'duration',
    title: t('pipelines-ui-duration'),
    cell: (row) => <BuildDuration build={row} />,
  },
  { key: 'tests', title: t('pipelines-ui-tests'), cell: (row) => <Tests build={row} /> },
  { key: 'agent', title: t('pipelines-ui-agent'), cell: (row) => row.agentName || '–', wideOnly: true },
  timeColumn('queuedAt', t('pipelines-ui-queued-at')),
]

/** The actions on a build in every list: log, artifacts, stop. */
export function useBuildActions() {
  const go = useGo()
  const stop = useStop()
  return (place: PipelinePlace, row: BuildSummary) => [
    {
      key: 'open',
      label: t('pipelines-ui-open-log'),
      icon: 'log' as const,
      onClick: () => go(toBuild(place, row.number)),
    },
    ...(row.artifactNum > 0
      ? [
          {
            key: 'artifacts',
            label: t('pipelines-ui-artifacts-count', { count: row.artifactNum }),
            icon: 'archive' as const,
            onClick: () => go(toArtifacts(place, row.number)),
          },
        ]
      : []),
    {
      key: 'stop',
      label: t(row.state === 'queued' ? 'pipelines-ui-cancel' : 'pipelines-ui-stop'),
      icon: 'stop' as const,
      needs: builds.stop,
      disabled: !canStop(row) && t('pipelines-ui-stop-ended', { number: row.number }),
      onClick: () => stop(place.id, row),
    },
  ]
}
