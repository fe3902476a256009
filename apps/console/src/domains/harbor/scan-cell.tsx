import type { ScanFigures } from '@gantry/contract/harbor/contents'
import { t } from '../../api/language.ts'

/** The result of a scan on one line; dots while it is loading. */
export function ScanCell({ figures, loading }: { figures: ScanFigures | undefined; loading: boolean }) {
  if (figures === undefined) return <span className="g-faint">{loading ? '…' : '–'}</span>
  const { state, total, fixable, bySeverity } = figures
  if (state !== 'done') return <span className="g-faint">{t(`harbor-ui-scan-${state}`)}</span>
  if (total === 0) return <span>{t('harbor-ui-scan-clean')}</span>
  const worst = ['Critical', 'High', 'Medium', 'Low'].find((severity) => (bySeverity[severity] ?? 0) > 0)
  return (
    <span>
      {worst === undefined
        ? t('harbor-ui-scan-found', { total, fixable })
        : t('harbor-ui-scan-worst', {
            count: bySeverity[worst] ?? 0,
            severity: t(`harbor-ui-severity-${worst.toLowerCase()}` as 'harbor-ui-severity-high'),
            total,
            fixable,
          })}
    </span>
  )
}
