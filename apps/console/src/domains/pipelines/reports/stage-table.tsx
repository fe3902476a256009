import { reports, type StageMeta } from '@gantry/contract/pipelines/reports'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { count } from '../../../ui/format.ts'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import type { OfPipeline } from './build-charts.tsx'
import { percent, seconds } from './figures.ts'
import { ReportPart } from './report-part.tsx'
import styles from './reports.module.css'

/** The durations and failures of stages and steps. */
export function StageTable({ pipeline, query }: OfPipeline) {
  const stages = useRead(reports.stageMeta, { params: { id: pipeline.id }, query })
  return (
    <ReportPart
      wide
      title={t('pipelines-ui-report-stages')}
      formula={t('pipelines-ui-report-stages-formula')}
      query={stages}
    >
      {(data) =>
        data.stages.length === 0 ? (
          <p className="g-faint">{t('pipelines-ui-report-none')}</p>
        ) : (
          <>
            <Table data={data} />
            {data.truncated && (
              <p className="g-faint">{t('pipelines-ui-report-stages-newest', { count: data.builds })}</p>
            )}
          </>
        )
      }
    </ReportPart>
  )
}

const Table = ({ data }: { data: StageMeta }) => (
  <div className="g-table-scroll" role="region" aria-label={t('pipelines-ui-report-stages')} ref={scrollStop}>
    <table className="g-table" aria-label={t('pipelines-ui-report-stages')}>
      <thead>
        <tr>
          <th scope="col">{t('pipelines-ui-report-stage')}</th>
          <th scope="col">{t('pipelines-ui-report-runs')}</th>
          <th scope="col">{t('pipelines-ui-report-failures')}</th>
          <th scope="col">{t('pipelines-ui-report-mean')}</th>
        </tr>
      </thead>
      {data.stages.map((stage) => (
        <tbody key={stage.name}>
          <tr>
            <th scope="row">{stage.name}</th>
            <Cells {...stage} />
          </tr>
          {stage.steps.map((step) => (
            <tr key={`${step.name}/${step.type}`}>
              <th scope="row" className={styles.step}>
                {step.name}
              </th>
              <Cells {...step} />
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </div>
)

const Cells = ({ runs, failed, seconds: mean }: { runs: number; failed: number; seconds: number | null }) => (
  <>
    <td className="g-num" data-label={t('pipelines-ui-report-runs')}>
      {count(runs)}
    </td>
    <td className={failed > 0 ? 'g-num g-bad' : 'g-num'} data-label={t('pipelines-ui-report-failures')}>
      {failed === 0 ? count(0) : `${count(failed)} (${percent(failed / runs)})`}
    </td>
    <td className="g-num" data-label={t('pipelines-ui-report-mean')}>
      {seconds(mean)}
    </td>
  </>
)

/** The findings of code quality scans. */
export function CodePart({ pipeline, query }: OfPipeline) {
  const code = useRead(reports.code, { params: { id: pipeline.id }, query })
  return (
    <ReportPart wide title={t('pipelines-ui-report-code')} formula={t('pipelines-ui-report-code-formula')} query={code}>
      {({ items }) => {
        const last = items.at(-1)
        return last === undefined ? (
          <p className="g-faint">{t('pipelines-ui-report-code-none')}</p>
        ) : (
          <p>
            {t('pipelines-ui-report-code-last', {
              number: last.buildNumber,
              bugs: last.bugs ?? '–',
              vulnerabilities: last.vulnerabilities ?? '–',
              smells: last.codeSmells ?? '–',
            })}
          </p>
        )
      }}
    </ReportPart>
  )
}
