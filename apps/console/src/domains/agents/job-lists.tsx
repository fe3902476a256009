import { agents, type AgentJob } from '@gantry/contract/agents/agents'
import { builds } from '@gantry/contract/pipelines/builds'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirm } from '../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { duration } from '../../ui/format.ts'
import { to } from '../../ui/link.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useListState } from '../../ui/table/list-state.ts'
import { ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'

/** Builds begin and end without any action on these pages. */
export const askAgainMs = 5000

const buildOf = ({ name, number }: AgentJob): string => `${name} #${number}`

const toBuild = ({ teamId, appId, pipelineId, number }: AgentJob) =>
  to('cd-build-info', {
    team_id: teamId,
    pipeline_group_id: appId,
    pipeline_id: pipelineId,
    build_number: number,
  })

const common = (): readonly Column<AgentJob>[] => [
  { key: 'build', title: t('agents-ui-build'), cell: buildOf },
  { key: 'job', title: t('agents-ui-job'), cell: (row) => row.job || '–', wideOnly: true },
  { key: 'team', title: t('agents-ui-team'), cell: (row) => row.teamName },
]

/** The jobs that the agent runs now. */
export function RunningJobs({ id }: { id: number }) {
  const query = useRead(agents.jobs, { params: { id } }, { every: askAgainMs })
  const stop = useWrite(agents.stopJob, { done: 'stop-success', quiet: true })
  const ask = (job: AgentJob) =>
    confirm({
      title: t('agents-ui-stop-title', { name: job.name, number: job.number }),
      text: t('agents-ui-stop-text'),
      danger: true,
      ok: t('agents-ui-stop'),
      run: () => stop.mutateAsync({ named: buildOf(job), params: { id, name: job.name, jobId: job.jobId } }),
    })
  return (
    <ResourceTable
      label={t('agents-ui-jobs')}
      query={query}
      rowKey={(row) => row.jobId}
      nameOf={buildOf}
      open={toBuild}
      columns={[
        ...common(),
        { key: 'attempt', title: t('agents-ui-attempt'), cell: (row) => row.attempt, wideOnly: true },
        { key: 'started', title: t('agents-ui-started'), cell: (row) => <Time at={row.startedAt} /> },
      ]}
      actions={(row) => [
        { key: 'stop', label: t('agents-ui-stop'), icon: 'stop', danger: true, onClick: () => void ask(row) },
      ]}
      empty={{ type: 1, title: t('agents-ui-jobs-none'), memo: t('agents-ui-jobs-none-memo') }}
    />
  )
}

/** The queued jobs that the agent could take, in the order in which it would. */
export function QueuedJobs({ id }: { id: number }) {
  const list = useListState('agent-queues')
  const query = useRead(agents.queues, { params: { id }, query: list.query }, { every: askAgainMs })
  const cancel = useWrite(builds.cancel, { done: 'cancel-success' })
  return (
    <ResourceTable
      label={t('agents-ui-queues')}
      query={query}
      list={list}
      rowKey={(row) => row.jobId}
      nameOf={buildOf}
      open={toBuild}
      columns={[
        ...common(),
        { key: 'queued', title: t('agents-ui-queued'), cell: (row) => <Time at={row.queuedAt} /> },
      ]}
      actions={(row) => [
        {
          key: 'cancel',
          label: t('agents-ui-cancel'),
          icon: 'close',
          onClick: () => cancel.mutate({ named: buildOf(row), params: { id: row.pipelineId, queueId: row.queueId } }),
        },
      ]}
      empty={{ type: 1, title: t('agents-ui-queues-none'), memo: t('agents-ui-queues-none-memo') }}
    />
  )
}

const took = ({ startedAt, endedAt }: AgentJob): string =>
  startedAt === null || endedAt === null ? '–' : duration(Date.parse(endedAt) - Date.parse(startedAt))

export function JobHistory({ id }: { id: number }) {
  const list = useListState('agent-history')
  const query = useRead(agents.history, { params: { id }, query: list.query })
  return (
    <ResourceTable
      label={t('agents-ui-history')}
      query={query}
      list={list}
      rowKey={(row) => row.jobId}
      nameOf={buildOf}
      open={toBuild}
      columns={[
        ...common(),
        { key: 'state', title: t('agents-ui-state'), cell: (row) => <StateBadge state={row.state} /> },
        { key: 'took', title: t('agents-ui-took'), cell: took, wideOnly: true },
        { key: 'ended', title: t('agents-ui-ended'), cell: (row) => <Time at={row.endedAt} /> },
      ]}
      empty={{ type: 1, title: t('agents-ui-history-none'), memo: t('agents-ui-history-none-memo') }}
    />
  )
}
