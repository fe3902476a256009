import { percentOf, quotaWarning, type Quota } from '@gantry/contract/quotas/quotas'
import { t } from '../../api/language.ts'
import { count } from '../../ui/format.ts'
import './quotas.css'

/** As people read them; sums of tenths are not exact. */
const figure = (value: number): string => count(Math.round(value * 100) / 100)

interface MeterProps extends Pick<Quota, 'hard' | 'used'> {
  resource: 'cpu' | 'memory'
  /** Absent where what is allowed is all given, as in a stack's own namespace. */
  allocated?: Quota['allocated']
  /** In a column that says already of what it is. */
  bare?: boolean
}

interface Part {
  key: 'used' | 'given'
  value: number
}

/** What runs within what is given, within what there may be: one bar, its figures above. Red where more than 80 % is taken. */
export function QuotaMeter({ resource, hard, allocated, used, bare = false }: MeterProps) {
  const label = t(`stacks-ui-${resource}`)
  const total = hard[resource]
  const parts: Part[] = [
    ...(allocated ? [{ key: 'given' as const, value: allocated[resource] }] : []),
    ...(used ? [{ key: 'used' as const, value: used[resource] }] : []),
  ]
  const most = Math.max(0, ...parts.map(({ value }) => value))
  const percent = percentOf(most, total)
  const vars = { total: total === null ? '' : figure(total), unit: t(`stacks-ui-unit-${resource}`), percent }
  const figures = [
    used ? t('quotas-ui-used', { used: figure(used[resource]) }) : t('quotas-ui-used-unknown'),
    ...(allocated ? [t('quotas-ui-given', { given: figure(allocated[resource]) })] : []),
    total === null ? t('quotas-ui-unlimited', vars) : t('quotas-ui-of', vars),
  ].join(' · ')
  const width = (value: number) => `${Math.min(100, total === null ? 0 : percentOf(value, total))}%`
  return (
    <div className={percent > quotaWarning ? 'q-meter q-meter-short' : 'q-meter'}>
      <div className="q-head">
        {!bare && <span>{label}</span>}
        <span className="g-num">{figures}</span>
      </div>
      {total !== null && (
        <div
          className="q-bar"
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.min(100, percent)}
          aria-valuetext={figures}
        >
          {parts.map(({ key, value }) => (
            <i key={key} className={`q-${key}`} style={{ width: width(value) }} />
          ))}
        </div>
      )}
    </div>
  )
}

/** What the colours of the bars mean. */
export const QuotaKey = () => (
  <p className="q-key">
    <span>
      <i className="q-used" aria-hidden />
      {t('quotas-ui-key-used')}
    </span>
    <span>
      <i className="q-given" aria-hidden />
      {t('quotas-ui-key-given')}
    </span>
    <span>
      <i className="q-free" aria-hidden />
      {t('quotas-ui-key-free')}
    </span>
  </p>
)
