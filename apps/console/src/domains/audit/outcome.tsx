import type { AuditRow } from '@gantry/contract/audit/audit'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import styles from './audit.module.css'

/** Whether it succeeded, and the reason if not. */
export function Outcome({ row }: { row: AuditRow }) {
  return (
    <span className={styles.outcome}>
      <StateBadge state={row.result === 1 ? 'done' : 'refused'} text={t(`audit-result-${row.result}`)} />
      {row.reason !== '' && <span className="g-faint">{row.reason}</span>}
    </span>
  )
}
