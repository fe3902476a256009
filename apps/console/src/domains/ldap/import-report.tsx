import type { z } from 'zod'
import type { ldap } from '@gantry/contract/ldap/ldap'
import { t } from '../../api/language.ts'
import { Rows } from '../../ui/table/rows.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'

type Report = z.output<typeof ldap.importEntries.data>
type Result = Report['rows'][number]['result']

const order: Result[] = ['failed', 'missing', 'duplicate', 'created']

/** The result of each entry, failures first. */
export function ImportReport({ report }: { report: Report }) {
  const rows = [...report.rows].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <div aria-live="polite">
      <p className="g-note">{t('ldap-ui-import-done', { created: report.created, count: rows.length })}</p>
      <Rows label={t('ldap-ui-import-report')}>
        <thead>
          <tr>
            <th>{t('ldap-ui-name')}</th>
            <th>{t('ldap-ui-result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <td>
                {row.userName}
                <small>{row.dn}</small>
              </td>
              <td>
                <StateBadge state={row.result} text={t(`ldap-ui-result-${row.result}`)} />
                {row.problem !== '' && <small>{row.problem}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </Rows>
    </div>
  )
}
