import type { Build } from '@gantry/contract/pipelines/builds'
import { coverage, type Coverage } from '@gantry/contract/pipelines/findings/coverage'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { differenceOf, percentOf, shownPercent } from './percent.ts'
import styles from './coverage.module.css'

/** How much of the code the tests have run, beside the build before, and which lines they have not. */
export function BuildCoverage({ build }: { build: Build }) {
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(coverage.get, { params })
  return (
    <Loaded query={query}>
      {(sum) =>
        sum === null ? (
          <EmptyState type={1} title={t('pipelines-ui-coverage-none')} memo={t('pipelines-ui-coverage-none-memo')} />
        ) : (
          <>
            <Sum sum={sum} />
            <Files build={build} />
          </>
        )
      }
    </Loaded>
  )
}

function Sum({ sum }: { sum: Coverage }) {
  const { lines, covered, before } = sum
  return (
    <p className={`g-num ${styles.sum}`}>
      {t('pipelines-ui-coverage-sum', { percent: shownPercent(percentOf(sum)), covered, lines })}
      {before && <Difference sum={sum} before={before} />}
    </p>
  )
}

function Difference({ sum, before }: { sum: Coverage; before: NonNullable<Coverage['before']> }) {
  const { number } = before
  const points = differenceOf(sum, before)
  const rounded = Math.abs(points).toFixed(1)
  if (points === 0) return <span className="g-quiet"> · {t('pipelines-ui-coverage-same', { number })}</span>
  return (
    <span className={points > 0 ? 'g-ok' : 'g-bad'}>
      {' · '}
      {t(points > 0 ? 'pipelines-ui-coverage-more' : 'pipelines-ui-coverage-fewer', { points: rounded, number })}
    </span>
  )
}

function Files({ build }: { build: Build }) {
  const list = useListState('cd-build-coverage', { pageSize: 50 })
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(coverage.files, { params, query: list.query })
  return (
    <ResourceTable
      label={t('pipelines-ui-coverage')}
      query={query}
      list={list}
      rowKey={(row) => row.file}
      search={t('pipelines-ui-coverage-search')}
      columns={[
        {
          key: 'file',
          title: t('pipelines-ui-coverage-file'),
          mono: true,
          min: 200,
          cell: (row) => <span translate="no">{row.file}</span>,
        },
        {
          key: 'percent',
          title: t('pipelines-ui-coverage-percent'),
          align: 'right',
          width: 104,
          cell: (row) => <span className="g-num">{shownPercent(percentOf(row))}%</span>,
        },
        {
          key: 'lines',
          title: t('pipelines-ui-coverage-lines'),
          align: 'right',
          width: 112,
          cell: (row) => (
            <span className="g-num">
              {row.covered}/{row.lines}
            </span>
          ),
          wideOnly: true,
        },
        {
          key: 'missed',
          title: t('pipelines-ui-coverage-missed'),
          min: 160,
          cell: (row) => <span className="g-num">{row.missed || '–'}</span>,
        },
      ]}
      empty={{ type: 1, title: t('pipelines-ui-coverage-none'), memo: t('pipelines-ui-coverage-none-memo') }}
    />
  )
}
