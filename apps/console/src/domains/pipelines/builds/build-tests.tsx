import { builds, TestCase, type Build } from '@gantry/contract/pipelines/builds'
import type { z } from 'zod'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { duration } from '../../../ui/format.ts'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import styles from './build.module.css'

type Case = z.infer<typeof TestCase>

const states = ['all', ...TestCase.shape.state.options] as const

/** A build's test cases, failures first. */
export function BuildTests({ build }: { build: Build }) {
  const list = useListState('cd-build-tests', { filters: { state: 'all' } })
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(builds.tests, { params, query: list.query })
  return (
    <>
      {build.tests && (
        <p className={`${styles.tests} g-num`}>
          {t('pipelines-ui-tests-sum', {
            total: build.tests.total,
            failed: build.tests.failed,
            skipped: build.tests.skipped,
          })}
        </p>
      )}
      <ResourceTable
        label={t('pipelines-ui-tests')}
        query={query}
        list={list}
        // its position: a report may contain a test twice, and two reports the same one
        rowKey={(row) => query.data?.items.indexOf(row) ?? 0}
        search={t('pipelines-ui-tests-search')}
        filters={[
          {
            name: 'state',
            label: t('pipelines-ui-state'),
            options: states.map((value) => ({
              value,
              label: value === 'all' ? t('pipelines-ui-state-all') : t(`state-${value}`),
            })),
          },
        ]}
        columns={[
          { key: 'name', title: t('pipelines-ui-test'), cell: (row) => <TestName test={row} /> },
          { key: 'state', title: t('pipelines-ui-state'), width: 120, cell: (row) => <StateBadge state={row.state} /> },
          {
            key: 'seconds',
            title: t('pipelines-ui-duration'),
            align: 'right',
            width: 112,
            cell: (row) => duration(row.seconds * 1000),
          },
        ]}
        empty={{ type: 1, title: t('pipelines-ui-no-tests'), memo: t('pipelines-ui-no-tests-memo') }}
      />
    </>
  )
}

function TestName({ test }: { test: Case }) {
  return (
    <div className={styles.test}>
      <span className="g-quiet" translate="no">
        {test.suite}
      </span>
      <span translate="no">{test.name}</span>
      {test.message !== '' && (
        <details open={test.state === 'failed' || test.state === 'error'}>
          <summary>{t('pipelines-ui-test-message')}</summary>
          <pre ref={scrollStop}>{test.message}</pre>
        </details>
      )}
    </div>
  )
}
