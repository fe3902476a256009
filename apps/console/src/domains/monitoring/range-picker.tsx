import { Input, Select } from 'antd'
import { t } from '../../api/language.ts'
import { useUrlState } from '../../ui/table/url-state.ts'
import { isSpan, rangeFrom, spans, type Range, type SpanKey } from './range.ts'
import styles from './monitoring.module.css'

const useValues = () => useUrlState({ range: '1h', from: '', until: '' })

/** The time range of the page, from the address. */
export const useRange = (): Range => rangeFrom(useValues()[0])

/** Selects the time range of all charts of the page. */
export function RangePicker() {
  const [{ range, from, until }, change] = useValues()
  const chosen = range === 'custom' || isSpan(range) ? range : '1h'
  const keys = [...(Object.keys(spans) as SpanKey[]), 'custom'] as const
  return (
    <div className={`g-row ${styles.range}`}>
      <Select
        aria-label={t('monitoring-ui-range')}
        prefix={<span className="g-faint">{t('monitoring-ui-range')}</span>}
        value={chosen}
        popupMatchSelectWidth={false}
        options={keys.map((value) => ({ value, label: t(`monitoring-ui-range-${value}`) }))}
        onChange={(next) => change({ range: next, from: '', until: '' })}
      />
      {chosen === 'custom' && (
        <>
          {(['from', 'until'] as const).map((name) => (
            <Input
              key={name}
              className={styles.moment}
              type="datetime-local"
              aria-label={t(`monitoring-ui-${name}`)}
              prefix={<span className="g-faint">{t(`monitoring-ui-${name}`)}</span>}
              value={name === 'from' ? from : until}
              onChange={(event) => change({ [name]: event.target.value }, { replace: true })}
            />
          ))}
          {!rangeFrom({ range, from, until }).query && (
            <p className="g-faint" role="status">
              {t('monitoring-ui-range-incomplete')}
            </p>
          )}
        </>
      )}
    </div>
  )
}
