import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { reports, ReportType, type PipelineAbility } from '@gantry/contract/pipelines/reports'
import { Select } from 'antd'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { count } from '../../../ui/format.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { toPipeline } from '../pipelines/places.ts'
import { percent, seconds } from './figures.ts'
import { zone } from './period.ts'

const periods = ReportType.options.filter((type) => type !== 'RANGE')

/** Compares the builds of several pipelines. */
export function CompareDialog({ pipelines, onClose }: { pipelines: readonly Pipeline[]; onClose: () => void }) {
  const [type, setType] = useState<ReportType>('MONTH')
  const ids = pipelines.map(({ id }) => id).join(',')
  const query = useRead(reports.abilities, { query: { type, zone: zone(), ids } })
  return (
    <Dialog
      width={820}
      title={t('pipelines-ui-report-compare-title')}
      onClose={onClose}
      buttons={
        <Button primary onClick={onClose}>
          {t('ui-close')}
        </Button>
      }
    >
      <ResourceTable<PipelineAbility>
        label={t('pipelines-ui-report-compare-title')}
        query={{ ...query, data: query.data?.items }}
        rowKey={(row) => row.pipelineId}
        nameOf={(row) => row.projectName}
        toolbar={
          <Select
            aria-label={t('pipelines-ui-report-period')}
            prefix={<span className="g-faint">{t('pipelines-ui-report-period')}</span>}
            value={type}
            popupMatchSelectWidth={false}
            options={periods.map((value) => ({ value, label: t(`pipelines-ui-report-period-${value}`) }))}
            onChange={setType}
          />
        }
        open={(row) => toPipeline('cd-report', { id: row.pipelineId, appId: row.appId }, { type })}
        columns={[
          { key: 'name', title: t('pipelines-ui-name'), cell: (row) => row.projectName },
          { key: 'success', title: t('state-success'), align: 'right', cell: (row) => count(row.success) },
          { key: 'failed', title: t('state-failed'), align: 'right', cell: (row) => count(row.failed) },
          {
            key: 'rate',
            title: t('pipelines-ui-report-success-rate'),
            align: 'right',
            cell: (row) => percent(row.successRate),
          },
          {
            key: 'duration',
            title: t('pipelines-ui-report-duration'),
            align: 'right',
            cell: (row) => seconds(row.seconds),
          },
          {
            key: 'wait',
            title: t('pipelines-ui-report-wait'),
            align: 'right',
            cell: (row) => seconds(row.waitSeconds),
          },
        ]}
      />
    </Dialog>
  )
}
