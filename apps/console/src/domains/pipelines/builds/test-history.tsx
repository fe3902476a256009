import type { Build } from '@gantry/contract/pipelines/builds'
import { tests, type TestCase } from '@gantry/contract/pipelines/findings/tests'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { SideDialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { shortCommit } from '../definition/words.ts'
import { seconds } from '../reports/figures.ts'

interface TestHistoryProps {
  build: Build
  test: Pick<TestCase, 'suite' | 'name'>
  onClose: () => void
}

/** As many builds as fit one view. */
const pageSize = 50

/** The results of one test case in the latest builds of its pipeline. */
export function TestHistory({ build, test: { suite, name }, onClose }: TestHistoryProps) {
  const query = useRead(tests.history, { params: { id: build.pipelineId }, query: { suite, name, pageSize } })
  return (
    <SideDialog title={t('pipelines-ui-test-history-title', { name })} onClose={onClose}>
      <ResourceTable
        label={t('pipelines-ui-test-history')}
        query={query}
        rowKey={(row) => query.data?.items.indexOf(row) ?? 0}
        columns={[
          { key: 'number', title: t('pipelines-ui-build'), width: 80, cell: (row) => `#${row.number}` },
          { key: 'state', title: t('pipelines-ui-state'), width: 120, cell: (row) => <StateBadge state={row.state} /> },
          {
            key: 'commit',
            title: t('pipelines-ui-commit'),
            cell: (row) => <span className="g-mono">{shortCommit(row.commit)}</span>,
          },
          {
            key: 'seconds',
            title: t('pipelines-ui-duration'),
            align: 'right',
            width: 96,
            cell: (row) => seconds(row.seconds),
          },
          timeColumn('at', t('pipelines-ui-queued-at'), { wideOnly: true }),
        ]}
      />
    </SideDialog>
  )
}
