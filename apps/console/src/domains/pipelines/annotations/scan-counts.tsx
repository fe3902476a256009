import type { Build } from '@gantry/contract/pipelines/builds'
import { type ScanResult, scans } from '@gantry/contract/pipelines/findings/scans'
import { severities } from '@gantry/contract/pipelines/steps/reports'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import styles from './annotations.module.css'

/** The number of findings of each severity from a build's scan steps; renders nothing without such steps. */
export function ScanCounts({ build }: { build: Build }) {
  if (!build.stages.some(({ steps }) => steps.some(({ type }) => type === 'scan'))) return null
  return <Counts build={build} />
}

function Counts({ build }: { build: Build }) {
  const query = useRead(scans.list, { params: { id: build.pipelineId, number: build.number } })
  return (
    <Loaded query={query}>
      {(results) =>
        results.length > 0 && (
          <div className={styles.counts}>
            <ResourceTable
              label={t('pipelines-ui-step-scan')}
              query={atHand(results)}
              rowKey={(row) => row.step}
              columns={[
                { key: 'step', title: t('pipelines-ui-step'), min: 160, cell: (row) => row.stepName },
                ...severities.map((severity) => ({
                  key: severity,
                  title: t(`pipelines-ui-severity-${severity}`),
                  align: 'right' as const,
                  width: 96,
                  cell: (row: ScanResult) => (
                    <span className={row[severity] > 0 && severity !== 'low' ? 'g-num g-bad' : 'g-num'}>
                      {row[severity]}
                    </span>
                  ),
                })),
              ]}
            />
          </div>
        )
      }
    </Loaded>
  )
}
