import { Checkbox } from 'antd'
import { useState } from 'react'
import { setRevision } from '@gantry/contract/revision'
import { systemRoles } from '@gantry/contract/teams/roles'
import { users } from '@gantry/contract/users/users'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { systemRoleName } from '../../../api/role-names.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { GoTo, to } from '../../../ui/link.tsx'
import styles from './permission-table.module.css'

interface SystemRolesProps {
  user: { id: number; userName: string; roles: readonly { id: number }[] }
  onClose: () => void
}

/** The system roles of a user, which apply in every team. */
export function SystemRolesDialog({ user, onClose }: SystemRolesProps) {
  const query = useRead(systemRoles.list, {})
  const current = user.roles.map(({ id }) => id)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(current))
  const assign = useWrite(users.assignSystemRoles, {
    done: 'update-success',
    quiet: true,
  })
  const put = (id: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const save = () =>
    assign.mutate(
      {
        named: user.userName,
        params: { id: user.id },
        query: { revision: setRevision(current) },
        body: [...chosen],
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      title={t('roles-ui-assign-title', { name: user.userName })}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          <Button primary loading={assign.isPending} onClick={save}>
            {t('ui-save')}
          </Button>
        </>
      }
    >
      <p className="g-dialog-text">{t('roles-ui-assign-text')}</p>
      <Loaded query={query}>
        {(all) => (
          <ul className={styles.roles}>
            {all.map((role) => (
              <li key={role.id}>
                <Checkbox checked={chosen.has(role.id)} onChange={(event) => put(role.id, event.target.checked)}>
                  {systemRoleName(role.name)}{' '}
                  <span className="g-faint">{t('roles-ui-carries', { count: role.permissions.length })}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <GoTo to={to('sys-roles')} onClick={onClose}>
        {t('roles-ui-manage')}
      </GoTo>
      <Problem text={assign.error && wordsOf(assign.error)} />
    </Dialog>
  )
}
