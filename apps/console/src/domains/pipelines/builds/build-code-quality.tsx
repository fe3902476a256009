import { codeQuality, type QualityCheck, type QualityResult } from '@gantry/contract/code-quality/results'
import type { Build } from '@gantry/contract/pipelines/builds'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Section } from '../../../ui/page.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'

/** What the code quality server found, step by step, beside the limits of their quality gates. */
export function BuildCodeQuality({ build }: { build: Build }) {
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(codeQuality.results, { params })
  return (
    <Loaded query={query}>
      {(results) =>
        results.length === 0 ? (
          <EmptyState type={1} title={t('code-quality-ui-no-results')} memo={t('code-quality-ui-no-results-memo')} />
        ) : (
          results.map((result) => <Result key={result.step} result={result} />)
        )
      }
    </Loaded>
  )
}

function Result({ result }: { result: QualityResult }) {
  return (
    <Section title={result.stepName}>
      <p className="g-row">
        <StateBadge
          state={result.passed ? 'success' : 'failed'}
          text={t(result.passed ? 'code-quality-ui-passed' : 'code-quality-ui-refused')}
        />
        <a href={result.url} target="_blank" rel="noreferrer">
          {t('code-quality-ui-open')}
        </a>
      </p>
      <ResourceTable
        label={result.stepName}
        query={atHand(result.checks)}
        rowKey={(row) => row.measure}
        columns={[
          {
            key: 'measure',
            title: t('code-quality-ui-measure'),
            cell: (row) => t(`code-quality-ui-measure-${row.measure}`),
          },
          {
            key: 'value',
            title: t('code-quality-ui-value'),
            align: 'right',
            cell: (row) =>
              row.value === null ? (
                <span className="g-faint">{t('code-quality-ui-unmeasured')}</span>
              ) : (
                <span className={row.passed ? 'g-num' : 'g-num g-bad'}>{withUnit(row, row.value)}</span>
              ),
          },
          {
            key: 'limit',
            title: t('code-quality-ui-limit'),
            align: 'right',
            cell: (row) =>
              row.limit === null ? (
                <span className="g-faint">{t('code-quality-ui-unlimited')}</span>
              ) : (
                t(row.measure === 'coverage' ? 'code-quality-ui-at-least' : 'code-quality-ui-at-most', {
                  limit: withUnit(row, row.limit),
                })
              ),
          },
        ]}
      />
    </Section>
  )
}

const withUnit = ({ measure }: QualityCheck, value: number): string =>
  measure === 'coverage' || measure === 'duplication' ? `${value}%` : String(value)
