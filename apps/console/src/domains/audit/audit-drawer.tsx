import { audit } from '@gantry/contract/audit/audit'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { SideDialog } from '../../ui/feedback/dialog.tsx'
import { scrollStop } from '../../ui/focus/scroll-stop.ts'
import { duration, zonedTime } from '../../ui/format.ts'
import { changesBetween } from './changes.ts'
import { Outcome } from './outcome.tsx'
import styles from './audit.module.css'

interface Props {
  id: number
  onClose: () => void
  /** Filters the list by this user. */
  onUser: (userId: number) => void
}

/** One entry: who, what, where, when, and the changes. */
export function AuditDrawer({ id, onClose, onUser }: Props) {
  const query = useRead(audit.get, { params: { id } }, { keep: false })
  return (
    <SideDialog title={t('audit-ui-entry')} onClose={onClose}>
      <Loaded query={query}>
        {(row) => (
          <>
            <Facts
              facts={[
                { label: t('audit-ui-action'), value: row.action },
                { label: t('audit-ui-outcome'), value: <Outcome row={row} /> },
                {
                  label: t('audit-ui-user'),
                  value: (
                    <span className="g-row">
                      {row.username || t('audit-ui-anonymous')}
                      {row.userId > 0 && (
                        <Button small quiet icon="filter" onClick={() => onUser(row.userId)}>
                          {t('audit-ui-show-user')}
                        </Button>
                      )}
                    </span>
                  ),
                },
                { label: t('audit-ui-address'), value: row.ip },
                { label: t('audit-ui-team'), value: row.teamName },
                { label: t('audit-ui-object'), value: row.object },
                { label: t('audit-ui-time'), value: zonedTime(row.startTime) },
                { label: t('audit-ui-duration'), value: duration(row.durationMs) },
                { label: t('audit-ui-call'), value: <Copyable text={`${row.method} ${row.url}`} />, wide: true },
                { label: t('audit-ui-request'), value: <Copyable text={row.requestId} />, wide: true },
              ]}
            />
            <h2 className={styles.title}>{t('audit-ui-changes')}</h2>
            <Changes before={row.before} after={row.after} />
          </>
        )}
      </Loaded>
    </SideDialog>
  )
}

function Changes({ before, after }: { before: unknown; after: unknown }) {
  const changes = changesBetween(before, after)
  if (changes.length === 0) return <p className="g-faint">{t('audit-ui-no-changes')}</p>
  return (
    <div className={styles.scroll} ref={scrollStop} role="region" aria-label={t('audit-ui-changes')}>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{t('audit-ui-field')}</th>
            <th scope="col">{t('audit-ui-before')}</th>
            <th scope="col">{t('audit-ui-after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row">{change.path || '–'}</th>
              <td>{change.before === undefined ? '–' : <del>{change.before}</del>}</td>
              <td>{change.after === undefined ? '–' : <ins>{change.after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
