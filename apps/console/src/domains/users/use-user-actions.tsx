import type { ReactNode } from 'react'
import { users, type User } from '@gantry/contract/users/users'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import type { BulkAction } from '../../ui/table/bulk.tsx'
import { confirm, confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { type Action, deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { SystemRolesDialog } from '../teams/public.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'

/** The number of names in a confirmation. */
const maxNamed = 8

/** A user with the initial password, which is shown only once. */
export interface Initial {
  userName: string
  initialPassword: string
}

interface UserActions {
  actionsOf: (user: User) => readonly Action[]
  bulk: readonly BulkAction<User>[]
  /** The page has to render this. */
  dialog: ReactNode
}

/** An administrator's actions on users; each confirmation names the consequences. */
export function useUserActions(showInitial: (initial: Initial) => void): UserActions {
  const me = useUser()
  const editing = useDialog<User>()
  const assigning = useDialog<User>()
  const letIn = useWrite(users.approve, { done: 'option-success' })
  const ban = useWrite(users.approve, { done: 'option-success', quiet: true })
  const renew = useWrite(users.resetPassword, { quiet: true })
  const remove = useWrite(users.removeMany, { done: 'delete-user', quiet: true })

  const askBan = (user: User) =>
    confirm({
      title: t('users-ui-ban-title', { name: user.userName }),
      text: t('users-ui-ban-text'),
      danger: true,
      ok: t('users-ui-ban'),
      run: () => ban.mutateAsync({ named: user.userName, params: { id: user.id }, query: { enable: 'false' } }),
    })
  const askRenew = (user: User) =>
    confirm({
      title: t('users-ui-renew-title', { name: user.userName }),
      text: t('users-ui-renew-text'),
      danger: true,
      ok: t('users-ui-renew'),
      run: async () => {
        const { initialPassword } = await renew.mutateAsync({ params: { id: user.id } })
        showInitial({ userName: user.userName, initialPassword })
      },
    })
  const askRemove = (rows: readonly User[]) => {
    const [only] = rows
    const one = rows.length === 1 && only !== undefined
    const rest = rows.length - maxNamed
    return confirmDelete({
      title: one
        ? t('users-ui-delete-title', { name: only.userName })
        : t('users-ui-delete-many', { count: rows.length }),
      ...(one
        ? {}
        : {
            text:
              rows
                .slice(0, maxNamed)
                .map(({ userName }) => userName)
                .join(', ') + (rest > 0 ? ` ${t('ui-and-more', { count: rest })}` : ''),
          }),
      goes: [t('users-ui-delete-sessions'), t('users-ui-delete-tokens'), t('users-ui-delete-builds')],
      warning: one ? t('users-ui-delete-stays') : `${t('users-ui-delete-stays')} ${t('users-ui-delete-whole')}`,
      typed: 'ok',
      run: () => remove.mutateAsync({ body: rows.map(({ id }) => id) }),
    })
  }

  const actionsOf = (user: User): readonly Action[] => {
    const self = user.id === me.id
    const actions: (Action | false)[] = [
      editAction({ onClick: () => editing.show(user) }),
      { key: 'roles', label: t('roles-ui-assign'), icon: 'shield', onClick: () => assigning.show(user) },
      {
        key: 'renew',
        label: t('users-ui-renew'),
        icon: 'key',
        disabled: self
          ? t('user-reset-self')
          : user.type !== 'IDENTITY' && t('password-elsewhere', { type: t(`user-type-${user.type}`) }),
        onClick: () => void askRenew(user),
      },
      user.state !== 'normal' && {
        key: 'let-in',
        label: t(user.state === 'unapproved' ? 'users-ui-approve' : 'users-ui-unban'),
        icon: 'check',
        onClick: () => letIn.mutate({ named: user.userName, params: { id: user.id }, query: { enable: 'true' } }),
      },
      // a locked user's sessions continue; only a ban ends them
      (user.state === 'normal' || user.state === 'locked') && {
        key: 'ban',
        label: t('users-ui-ban'),
        icon: 'stop',
        danger: true,
        disabled: self && t('user-ban-self'),
        onClick: () => void askBan(user),
      },
      deleteAction({ disabled: self && t('user-delete-self'), onClick: () => void askRemove([user]) }),
    ]
    return actions.filter((action) => action !== false)
  }

  return {
    actionsOf,
    bulk: [{ key: 'delete', label: t('ui-delete'), danger: true, whole: askRemove }],
    dialog: (
      <>
        {editing.open && <EditUserDialog user={editing.open} onClose={editing.hide} />}
        {assigning.open && <SystemRolesDialog user={assigning.open} onClose={assigning.hide} />}
      </>
    ),
  }
}
