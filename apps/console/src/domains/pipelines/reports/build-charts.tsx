import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { reports } from '@gantry/contract/pipelines/reports'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Bars } from '../../../ui/chart/bars.tsx'
import { count } from '../../../ui/format.ts'
import { GoTo } from '../../../ui/link.tsx'
import { Time } from '../../../ui/time.tsx'
import { toPipeline } from '../pipelines/places.ts'
import { percent, seconds } from './figures.ts'
import { slotName, type PeriodQuery } from './period.ts'
import { ReportPart } from './report-part.tsx'
import styles from './reports.module.css'

export interface OfPipeline {
  pipeline: Pipeline
  query: PeriodQuery
}

interface Span {
  startTime: number
  endTime: number
}

/** The list of builds that ended within a period. */
export const toBuilds = (
  pipeline: Pipeline,
  { startTime, endTime }: Span,
  more: { state?: string; deployment?: string } = {},
) => toPipeline('cd-history', pipeline, { state: 'all', startTime, endTime, ...more })

const states = ['success', 'failed', 'aborted'] as const
const tones = { success: 'ok', failed: 'bad', aborted: 'warn' } as const

/** The results of builds, their success rate, and their duration. */
export function BuildCharts({ pipeline, query }: OfPipeline) {
  const input = { params: { id: pipeline.id }, query }
  const distribution = useRead(reports.stateDistribution, input)
  const ability = useRead(reports.ability, input)
  return (
    <>
      <ReportPart
        title={t('pipelines-ui-report-states')}
        formula={t('pipelines-ui-report-states-formula')}
        query={distribution}
      >
        {(data) => (
          <>
            <p className={styles.figures}>
              {states.map((state) => (
                <GoTo key={state} to={toBuilds(pipeline, data, { state })}>
                  {t(`state-${state}`)} <strong className="g-num">{count(data[state])}</strong>
                </GoTo>
              ))}
            </p>
            <Bars
              label={t('pipelines-ui-report-states')}
              series={states.map((state) => ({ name: t(`state-${state}`), tone: tones[state] }))}
              format={count}
              slots={data.items.map((slot) => ({
                label: slotName(data.unit, slot.startTime),
                values: states.map((state) => ({ value: slot[state], to: toBuilds(pipeline, slot, { state }) })),
              }))}
            />
          </>
        )}
      </ReportPart>
      <ReportPart
        title={t('pipelines-ui-report-success-rate')}
        formula={t('pipelines-ui-report-success-rate-formula')}
        query={ability}
      >
        {(data) => (
          <>
            <p className={styles.figures}>
              <strong className="g-num">{percent(data.successRate)}</strong>
            </p>
            <Bars
              label={t('pipelines-ui-report-success-rate')}
              series={[{ name: t('pipelines-ui-report-success-rate'), tone: 'ok' }]}
              format={percent}
              slots={data.items.map((slot) => ({
                label: slotName(data.unit, slot.startTime),
                values: [{ value: slot.successRate, to: toBuilds(pipeline, slot) }],
              }))}
            />
          </>
        )}
      </ReportPart>
      <ReportPart
        title={t('pipelines-ui-report-duration')}
        formula={t('pipelines-ui-report-duration-formula')}
        query={ability}
      >
        {(data) => (
          <>
            <p className={styles.figures}>
              <strong className="g-num">{seconds(data.seconds)}</strong>
              <span>{t('pipelines-ui-report-waited', { time: seconds(data.waitSeconds) })}</span>
            </p>
            <Bars
              label={t('pipelines-ui-report-duration')}
              series={[{ name: t('pipelines-ui-report-duration'), tone: 'plain' }]}
              format={seconds}
              slots={data.items.map((slot) => ({
                label: slotName(data.unit, slot.startTime),
                values: [{ value: slot.seconds, to: toBuilds(pipeline, slot, { state: 'success' }) }],
              }))}
            />
          </>
        )}
      </ReportPart>
    </>
  )
}

/** How long the pipeline takes to recover. */
export function RecoveryChart({ pipeline, query }: OfPipeline) {
  const recovery = useRead(reports.recoverAvg, { params: { id: pipeline.id }, query })
  return (
    <ReportPart
      title={t('pipelines-ui-report-recovery')}
      formula={t('pipelines-ui-report-recovery-formula')}
      query={recovery}
    >
      {(data) => (
        <>
          <p className={styles.figures}>
            <strong className="g-num">{seconds(data.seconds)}</strong>
            <span>{t('pipelines-ui-report-recovered', { count: data.recoveries })}</span>
            {data.failingSince !== null && (
              <span className="g-bad">
                {t('pipelines-ui-report-failing-since')} <Time at={data.failingSince} />
              </span>
            )}
          </p>
          <Bars
            label={t('pipelines-ui-report-recovery')}
            series={[{ name: t('pipelines-ui-report-recovery'), tone: 'warn' }]}
            format={seconds}
            slots={data.items.map((slot) => ({
              label: slotName(data.unit, slot.startTime),
              values: [{ value: slot.seconds, to: toBuilds(pipeline, slot, { state: 'success' }) }],
            }))}
          />
        </>
      )}
    </ReportPart>
  )
}
