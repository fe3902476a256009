import { percentOf, type Quota } from '@gantry/contract/quotas/quotas'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import { Meter, MeterFigures } from '../../ui/chart/meters.tsx'
import styles from './quotas.module.css'

/** Rounded, because sums of tenths are not exact. */
const figure = (value: number): string => count(Math.round(value * 100) / 100)

interface MeterProps extends Pick<Quota, 'hard' | 'used'> {
  resource: 'cpu' | 'memory'
  /** Absent if the whole quota is allocated, as in a stack's own namespace. */
  allocated?: Quota['allocated']
  /** Without a label, in a column whose title names the resource. */
  bare?: boolean
}

/** The used part within the allocated part of the quota: one bar, with its figures above. Red above 80 %. */
export function QuotaMeter({ resource, hard, allocated, used, bare = false }: MeterProps) {
  const label = t(`stacks-ui-${resource}`)
  const total = hard[resource]
  const parts = [
    ...(allocated ? [{ percent: percentOf(allocated[resource], total), pale: true }] : []),
    ...(used ? [{ percent: percentOf(used[resource], total) }] : []),
  ]
  const percent = Math.max(0, ...parts.map((part) => part.percent))
  const vars = { total: total === null ? '' : figure(total), unit: t(`stacks-ui-unit-${resource}`), percent }
  const figures = [
    used ? t('quotas-ui-used', { used: figure(used[resource]) }) : t('quotas-ui-used-unknown'),
    ...(allocated ? [t('quotas-ui-given', { given: figure(allocated[resource]) })] : []),
    total === null ? t('quotas-ui-unlimited', vars) : t('quotas-ui-of', vars),
  ].join(' · ')
  return (
    <div className={styles.meter}>
      <div className="g-meter-head">
        {!bare && <span>{label}</span>}
        <MeterFigures percent={percent}>{figures}</MeterFigures>
      </div>
      {total !== null && <Meter label={label} percent={percent} words={figures} parts={parts} />}
    </div>
  )
}

/** The legend of the bars' colours. */
export const QuotaKey = () => (
  <p className={styles.key}>
    <span>
      <i className={styles.used} aria-hidden />
      {t('quotas-ui-key-used')}
    </span>
    <span>
      <i className={styles.given} aria-hidden />
      {t('quotas-ui-key-given')}
    </span>
    <span>
      <i className={styles.free} aria-hidden />
      {t('quotas-ui-key-free')}
    </span>
  </p>
)
