import type { Ability, Delivery, RecoverAvg } from '@gantry/contract/pipelines/reports'
import { csvOf } from '../../../api/csv.ts'
import { t } from '../../../api/language.ts'
import { exactTime } from '../../../ui/format.ts'

const cell = (value: number | null): string => (value === null ? '' : String(Math.round(value * 10_000) / 10_000))

interface Reports {
  ability: Ability
  recovery: RecoverAvg
  delivery: Delivery
}

/** One line for each slot of the period; all reports of a page have the same slots. */
export function reportCsv({ ability, recovery, delivery }: Reports): string {
  const head = [
    t('pipelines-ui-report-from'),
    t('pipelines-ui-report-until'),
    t('state-success'),
    t('state-failed'),
    t('state-aborted'),
    t('pipelines-ui-report-success-rate'),
    t('pipelines-ui-report-csv-duration'),
    t('pipelines-ui-report-csv-wait'),
    t('pipelines-ui-report-recoveries'),
    t('pipelines-ui-report-csv-recovery'),
    t('pipelines-ui-report-deployments'),
    t('pipelines-ui-report-deployments-failed'),
    t('pipelines-ui-report-csv-lead'),
    t('pipelines-ui-report-failure-rate'),
    t('pipelines-ui-report-csv-restore'),
  ]
  const lines = ability.items.map((slot, at) => {
    const [recovered, delivered] = [recovery.items[at], delivery.items[at]]
    return [
      exactTime(slot.startTime),
      exactTime(slot.endTime),
      ...[
        slot.success,
        slot.failed,
        slot.aborted,
        slot.successRate,
        slot.seconds,
        slot.waitSeconds,
        recovered?.recoveries ?? null,
        recovered?.seconds ?? null,
        delivered?.deployments ?? null,
        delivered?.failedDeployments ?? null,
        delivered?.leadSeconds ?? null,
        delivered?.failureRate ?? null,
        delivered?.restoreSeconds ?? null,
      ].map(cell),
    ]
  })
  return csvOf([head, ...lines])
}
