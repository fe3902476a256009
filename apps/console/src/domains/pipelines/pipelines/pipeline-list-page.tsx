import { builds } from '@gantry/contract/pipelines/builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { BuildState } from '@gantry/contract/pipelines/states'
import { t, withWords } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { GoTo, to, useGo, useTeamId } from '../../../ui/link.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { deleteAction } from '../../../ui/table/row-actions.tsx'
import { Time } from '../../../ui/time.tsx'
import { useCopying } from './copying.tsx'
import { causeOf } from '../definition/words.ts'
import { toBuild, toPipeline } from './places.ts'
import { useRemovePipeline } from './remove-pipeline.ts'
import { useRun } from './run.tsx'
import { canStop, useStop } from '../builds/stop.ts'
import styles from './pipelines.module.css'

const CompareDialog = later(
  async () => (await withWords('compare', () => import('../reports/compare-dialog.tsx'))).CompareDialog,
)

const states = ['all', ...BuildState.options, 'never'] as const

const stateWord = (state: (typeof states)[number]): string => {
  if (state === 'all') return t('pipelines-ui-state-all')
  return state === 'never' ? t('pipelines-ui-state-never') : t(`state-${state}`)
}

/** In the address of another screen, `all` is expressed by omitting the state. */
const stateOf = (state: string | undefined) => (state === 'all' ? undefined : state)

export function PipelineListPage() {
  const teamId = useTeamId()
  const go = useGo()
  const list = useListState('pipeline-v1-list', { pageSize: 5, filters: { state: 'all', groupId: '' } })
  const query = useRead(pipelines.list, { params: { teamId }, query: list.query })
  const { run, busy, dialog } = useRun()
  const stop = useStop()
  const remove = useRemovePipeline()
  const { copying, dialog: moving } = useCopying()
  const comparing = useDialog<readonly Pipeline[]>()
  const create = () => go(to('cd-create', {}, { groupId: list.filters['groupId'] }))
  const groupId = Number(list.filters['groupId']) || undefined

  return (
    <Page
      title={t('route-pipeline-v1-list')}
      about={t('pipelines-ui-about')}
      actions={
        <>
          <Button
            icon="edit"
            needs={to('cd-batch-edit')}
            onClick={() =>
              go(
                to(
                  'cd-batch-edit',
                  {},
                  { name: list.keyword, groupId: list.filters['groupId'], state: stateOf(list.filters['state']) },
                ),
              )
            }
          >
            {t('route-cd-batch-edit')}
          </Button>
          <Button icon="build" needs={to('cd-builds')} onClick={() => go(to('cd-builds'))}>
            {t('route-cd-builds')}
          </Button>
          <Button icon="config" onClick={() => go(to('cd-groups'))}>
            {t('route-cd-groups')}
          </Button>
          <Button primary icon="add" needs={to('cd-create')} onClick={create}>
            {t('pipelines-ui-create')}
          </Button>
        </>
      }
    >
      <ResourceTable
        label={t('route-pipeline-v1-list')}
        query={query}
        list={list}
        rowKey={(row) => row.id}
        nameOf={(row) => row.projectName}
        search={t('pipelines-ui-search')}
        filters={[
          {
            name: 'state',
            label: t('pipelines-ui-state'),
            options: states.map((value) => ({ value, label: stateWord(value) })),
          },
        ]}
        toolbar={
          <span className={styles.groupFilter}>
            <RemoteSelect
              endpoint={groups.list}
              input={{ params: { teamId } }}
              pageSize={10}
              label={t('pipelines-ui-group')}
              placeholder={t('pipelines-ui-group-all')}
              clearable
              option={(group) => ({ value: group.id, label: group.name })}
              {...(groupId === undefined ? {} : { value: groupId })}
              valueLabel={query.data?.items.find((row) => row.appId === groupId)?.groupName ?? t('pipelines-ui-group')}
              onChange={(value) => list.setFilter('groupId', value === undefined ? '' : String(value))}
            />
          </span>
        }
        columns={[
          { key: 'projectName', title: t('pipelines-ui-name'), sort: true, cell: (row) => row.projectName },
          { key: 'group', title: t('pipelines-ui-group'), cell: (row) => row.groupName, wideOnly: true },
          {
            key: 'lastBuild',
            title: t('pipelines-ui-last-build'),
            sort: true,
            cell: (row) => <LastBuild pipeline={row} />,
          },
          {
            key: 'cause',
            title: t('pipelines-ui-cause'),
            cell: ({ lastBuild }) => (lastBuild ? causeOf(lastBuild) : <span className="g-faint">–</span>),
            wideOnly: true,
          },
          { key: 'branch', title: t('pipelines-ui-branch'), cell: (row) => <Branch pipeline={row} />, extra: true },
          {
            key: 'run',
            title: t('pipelines-ui-run'),
            width: 72,
            cell: (row) =>
              canStop(row.lastBuild) ? (
                <Button
                  small
                  quiet
                  icon="stop"
                  label={t('pipelines-ui-stop-of', { name: row.projectName })}
                  needs={builds.stop}
                  onClick={() => row.lastBuild && stop(row.id, row.lastBuild)}
                />
              ) : (
                <Button
                  small
                  quiet
                  icon="play"
                  label={t('pipelines-ui-run-of', { name: row.projectName })}
                  needs={builds.trigger}
                  loading={busy === row.id}
                  onClick={() => run(row)}
                />
              ),
          },
        ]}
        open={(row) => toPipeline('cd-history', row)}
        bulk={[
          {
            key: 'batch-edit',
            label: t('batch-edits-ui-bulk'),
            needs: to('cd-batch-edit'),
            whole: (rows) => {
              go(to('cd-batch-edit', {}, { ids: rows.map(({ id }) => id).join(',') }))
              return Promise.resolve(false)
            },
          },
          {
            key: 'compare',
            label: t('pipelines-ui-report-compare'),
            needs: builds.get,
            whole: (rows) => {
              comparing.show(rows)
              return Promise.resolve(false)
            },
          },
        ]}
        actions={(row) => {
          const last = row.lastBuild
          return [
            { key: 'run', label: t('pipelines-ui-run'), icon: 'play', needs: builds.trigger, onClick: () => run(row) },
            {
              key: 'run-with',
              label: t('pipelines-ui-run-with'),
              icon: 'config',
              needs: builds.trigger,
              onClick: () => run(row, { ask: true }),
            },
            ...(last
              ? [
                  {
                    key: 'stop',
                    label: t('pipelines-ui-stop-build', { number: last.number }),
                    icon: 'stop' as const,
                    needs: builds.stop,
                    disabled: !canStop(last) && t('pipelines-ui-stop-ended', { number: last.number }),
                    onClick: () => stop(row.id, last),
                  },
                ]
              : []),
            {
              key: 'open',
              label: t('pipelines-ui-open'),
              icon: 'log',
              onClick: () => go(toPipeline('cd-history', row)),
            },
            {
              key: 'edit',
              label: t('route-cd-orchestration'),
              icon: 'edit',
              onClick: () => go(toPipeline('cd-orchestration', row)),
            },
            ...copying(row),
            deleteAction({ needs: pipelines.remove, onClick: () => void remove(row) }),
          ]
        }}
        empty={{
          type: 1,
          title: t('pipelines-ui-none'),
          memo: t('pipelines-ui-none-memo'),
          add: { label: t('pipelines-ui-create'), needs: to('cd-create'), onClick: create },
        }}
      />
      {dialog}
      {moving}
      {comparing.open && <CompareDialog pipelines={comparing.open} onClose={comparing.hide} />}
    </Page>
  )
}

function LastBuild({ pipeline }: { pipeline: Pipeline }) {
  const last = pipeline.lastBuild
  if (!last) return <span className="g-faint">{t('pipelines-ui-never-built')}</span>
  return (
    <span className={styles.last}>
      <StateBadge state={last.state} />
      <GoTo to={toBuild(pipeline, last.number)}>#{last.number}</GoTo>
      <Time at={last.endedAt ?? last.startedAt} />
    </span>
  )
}

function Branch({ pipeline }: { pipeline: Pipeline }) {
  const repository = pipeline.repository
  if (!repository) return <span className="g-faint">{t('pipelines-ui-no-repository')}</span>
  return (
    <span className="g-mono" title={repository.url}>
      {repository.branch}
    </span>
  )
}
