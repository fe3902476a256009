import { reports, type Delivery } from '@gantry/contract/pipelines/reports'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Bars } from '../../../ui/chart/bars.tsx'
import { count } from '../../../ui/format.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { toBuilds, type OfPipeline } from './build-charts.tsx'
import { perDay, percent, seconds } from './figures.ts'
import { slotName } from './period.ts'
import { ReportPart } from './report-part.tsx'
import styles from './reports.module.css'

const scopes = ['pipeline', 'group', 'team'] as const
type Scope = (typeof scopes)[number]

const isScope = (text: string): text is Scope => scopes.some((one) => one === text)

/** DORA's four metrics of the pipeline, its group or its team, selected in the address. */
export function DeliveryPart({ pipeline, query }: OfPipeline) {
  const [{ scope: given }, change] = useUrlState({ scope: 'pipeline' })
  const scope = isScope(given) ? given : 'pipeline'
  const own = useRead(reports.delivery, { params: { id: pipeline.id }, query }, { enabled: scope === 'pipeline' })
  const group = useRead(
    reports.groupDelivery,
    { params: { id: pipeline.appId }, query },
    { enabled: scope === 'group' },
  )
  const team = useRead(
    reports.teamDelivery,
    { params: { teamId: pipeline.teamId }, query },
    { enabled: scope === 'team' },
  )
  const read = { pipeline: own, group, team }[scope]
  return (
    <ReportPart
      wide
      title={t('pipelines-ui-report-delivery')}
      formula={t('pipelines-ui-report-delivery-formula')}
      query={read}
      actions={
        <Segmented
          aria-label={t('pipelines-ui-report-scope')}
          value={scope}
          options={scopes.map((value) => ({ value, label: t(`pipelines-ui-report-scope-${value}`) }))}
          onChange={(next) => change({ scope: next })}
        />
      }
    >
      {(data) => (
        <>
          <Four data={data} />
          {scope === 'pipeline' && (
            <Bars
              label={t('pipelines-ui-report-deployments')}
              series={[
                { name: t('pipelines-ui-report-deployments'), tone: 'ok' },
                { name: t('pipelines-ui-report-deployments-failed'), tone: 'bad' },
              ]}
              format={count}
              slots={data.items.map((slot) => ({
                label: slotName(data.unit, slot.startTime),
                values: [
                  { value: slot.deployments, to: toBuilds(pipeline, slot, { deployment: 'success' }) },
                  { value: slot.failedDeployments, to: toBuilds(pipeline, slot, { deployment: 'failed' }) },
                ],
              }))}
            />
          )}
        </>
      )}
    </ReportPart>
  )
}

function Four({ data }: { data: Delivery }) {
  const { deployments, failedDeployments } = data
  return (
    <dl className={styles.four}>
      <Figure
        label={t('pipelines-ui-report-frequency')}
        value={perDay(data.perDay)}
        memo={t('pipelines-ui-report-frequency-formula', { count: deployments })}
      />
      <Figure
        label={t('pipelines-ui-report-lead')}
        value={seconds(data.leadSeconds)}
        memo={t('pipelines-ui-report-lead-formula')}
      />
      <Figure
        label={t('pipelines-ui-report-failure-rate')}
        value={percent(data.failureRate)}
        memo={t('pipelines-ui-report-failure-rate-formula', {
          failed: failedDeployments,
          all: deployments + failedDeployments,
        })}
      />
      <Figure
        label={t('pipelines-ui-report-restore')}
        value={seconds(data.restoreSeconds)}
        memo={t('pipelines-ui-report-restore-formula')}
      />
    </dl>
  )
}

const Figure = ({ label, value, memo }: { label: string; value: ReactNode; memo: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <strong className="g-num">{value}</strong>
      <span>{memo}</span>
    </dd>
  </div>
)
