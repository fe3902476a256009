import type { z } from 'zod'
import type { users } from '@gantry/contract/users/users'
import { t } from '../../api/language.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Rows } from '../../ui/table/rows.tsx'

export type Report = z.output<typeof users.importUsers.data>

/** The rows of a file, invalid ones first; after the import, with their initial passwords. */
export function ImportRows({ rows, done }: { rows: Report['rows']; done: boolean }) {
  const sorted = [...rows].sort((a, b) => Number(a.problem === '') - Number(b.problem === '') || a.line - b.line)
  const last = t(done ? 'users-ui-initial' : 'users-ui-import-problem')
  return (
    <Rows label={t('users-ui-import-rows')}>
      <thead>
        <tr>
          <th>{t('users-ui-import-line')}</th>
          <th>{t('users-ui-name')}</th>
          <th className="g-rows-wide">{t('users-ui-nickname')}</th>
          <th className="g-rows-wide">{t('users-ui-email')}</th>
          <th className="g-rows-wide">{t('users-ui-first-team')}</th>
          <th>{last}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((row) => (
          <tr key={row.line}>
            <td className="g-num">{row.line}</td>
            <td>{row.userName}</td>
            <td className="g-rows-wide">{row.nickname}</td>
            <td className="g-rows-wide">{row.email}</td>
            <td className="g-rows-wide">{row.team}</td>
            <td className={row.problem === '' ? undefined : 'g-bad'}>
              {done ? <Copyable text={row.initialPassword} /> : row.problem || '✓'}
            </td>
          </tr>
        ))}
      </tbody>
    </Rows>
  )
}
