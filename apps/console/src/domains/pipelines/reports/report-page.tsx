import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { reports } from '@gantry/contract/pipelines/reports'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { saveText } from '../../../api/transfer.ts'
import { Button } from '../../../ui/button.tsx'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { BuildCharts, RecoveryChart } from './build-charts.tsx'
import { DeliveryPart } from './delivery-part.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { usePeriod, type PeriodQuery } from './period.ts'
import { reportCsv } from './report-csv.ts'
import { CodePart, StageTable } from './stage-table.tsx'
import styles from './reports.module.css'

/** The report of a pipeline's builds: their results, durations and deployments. */
export function ReportPage() {
  return (
    <PipelineFrame screen="cd-report">{(pipeline) => <Report key={pipeline.id} pipeline={pipeline} />}</PipelineFrame>
  )
}

function Report({ pipeline }: { pipeline: Pipeline }) {
  const period = usePeriod()
  return (
    <>
      <div className="g-bar">
        <PeriodPicker {...period} />
        <div className="g-bar-end">
          <Export pipeline={pipeline} query={period.query} />
        </div>
      </div>
      {period.query && (
        <div className={styles.parts}>
          <DeliveryPart pipeline={pipeline} query={period.query} />
          <BuildCharts pipeline={pipeline} query={period.query} />
          <RecoveryChart pipeline={pipeline} query={period.query} />
          <StageTable pipeline={pipeline} query={period.query} />
          <CodePart pipeline={pipeline} query={period.query} />
        </div>
      )}
    </>
  )
}

function Export({ pipeline, query }: { pipeline: Pipeline; query: PeriodQuery | undefined }) {
  const input = { params: { id: pipeline.id }, query: { ...query } }
  const enabled = query !== undefined
  const { data: ability } = useRead(reports.ability, input, { enabled })
  const { data: recovery } = useRead(reports.recoverAvg, input, { enabled })
  const { data: delivery } = useRead(reports.delivery, input, { enabled })
  const whole = ability && recovery && delivery
  return (
    <Button
      icon="download"
      disabled={whole === undefined && t('pipelines-ui-report-loading')}
      onClick={() =>
        whole && saveText(reportCsv({ ability, recovery, delivery }), `${pipeline.projectName}.csv`, 'text/csv')
      }
    >
      {t('pipelines-ui-report-csv')}
    </Button>
  )
}
