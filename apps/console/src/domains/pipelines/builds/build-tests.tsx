import type { Build } from '@gantry/contract/pipelines/builds'
import { tests, TestState, type TestCase } from '@gantry/contract/pipelines/findings/tests'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import type { ChosenAttempt } from '../attempts/chosen-attempt.ts'
import { seconds } from '../reports/figures.ts'
import { stepsOf } from './chosen-step.ts'
import { TestHistory } from './test-history.tsx'
import styles from './build.module.css'

const states = ['all', ...TestState.options] as const

/** The test cases of a build, or of one attempt of a job, failures first. */
export function BuildTests({ build, of }: { build: Build; of?: ChosenAttempt | undefined }) {
  const list = useListState('cd-build-tests', { filters: { state: 'all' } })
  const looking = useDialog<TestCase>()
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(tests.list, { params, query: { ...list.query, ...of } })
  const broken = stepsOf(build.stages).filter(
    ({ type, state, job }) => type === 'report' && state === 'failed' && (!of || job === of.job),
  )
  return (
    <>
      {broken.map(({ index, name, message }) => (
        <p key={index} className="g-note" role="status">
          <strong>{t('pipelines-ui-step-failed', { step: name })}</strong> {message}
        </p>
      ))}
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
        // its position, because a report may contain a test twice, and two reports the same test
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
            cell: (row) => seconds(row.seconds),
          },
        ]}
        actions={(row) => [
          { key: 'history', label: t('pipelines-ui-test-history'), icon: 'log', onClick: () => looking.show(row) },
        ]}
        nameOf={(row) => row.name}
        empty={{ type: 1, title: t('pipelines-ui-no-tests'), memo: t('pipelines-ui-no-tests-memo') }}
      />
      {looking.open && <TestHistory build={build} test={looking.open} onClose={looking.hide} />}
    </>
  )
}

function TestName({ test }: { test: TestCase }) {
  return (
    <div className={styles.test}>
      <span className="g-quiet" translate="no">
        {test.suite}
      </span>
      <span translate="no">{test.name}</span>
      {test.newlyFailing && <span className="g-tag g-bad">{t('pipelines-ui-test-new')}</span>}
      {test.flaky && (
        <span className="g-tag g-warn" title={t('pipelines-ui-test-flaky-help')}>
          {t('pipelines-ui-test-flaky')}
        </span>
      )}
      {test.message !== '' && (
        <details open={test.state === 'failed' || test.state === 'error'}>
          <summary>{t('pipelines-ui-test-message')}</summary>
          <pre ref={scrollStop}>{test.message}</pre>
        </details>
      )}
    </div>
  )
}
