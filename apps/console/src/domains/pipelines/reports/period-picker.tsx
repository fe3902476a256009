import { ReportType } from '@gantry/contract/pipelines/reports'
import { Input, Select } from 'antd'
import { t } from '../../../api/language.ts'
import type { usePeriod } from './period.ts'
import styles from './reports.module.css'

/** Selects the period of a report. */
export function PeriodPicker({ values, change, query }: ReturnType<typeof usePeriod>) {
  const chosen = query?.type ?? 'RANGE'
  return (
    <>
      <Select
        aria-label={t('pipelines-ui-report-period')}
        prefix={<span className="g-faint">{t('pipelines-ui-report-period')}</span>}
        value={chosen}
        popupMatchSelectWidth={false}
        options={ReportType.options.map((value) => ({ value, label: t(`pipelines-ui-report-period-${value}`) }))}
        onChange={(type) => change({ type, from: '', until: '' })}
      />
      {chosen === 'RANGE' &&
        (['from', 'until'] as const).map((name) => (
          <Input
            key={name}
            className={styles.moment}
            type="datetime-local"
            aria-label={t(`pipelines-ui-report-${name}`)}
            prefix={<span className="g-faint">{t(`pipelines-ui-report-${name}`)}</span>}
            value={values[name]}
            onChange={(event) => change({ [name]: event.target.value }, { replace: true })}
          />
        ))}
      {query === undefined && (
        <p className="g-faint" role="status">
          {t('pipelines-ui-report-incomplete')}
        </p>
      )}
    </>
  )
}
