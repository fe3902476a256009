import { t } from '../../api/language.ts'
import type { Lack } from '../../api/session.ts'
import { Button } from '../button.tsx'
import { Icon, type IconName } from '../icon.tsx'
import { type Does, isOfTeam, lackOf, MissingPermission, useLackingTo, WhoGrants } from '../may.tsx'
import { Menu } from '../menu.tsx'

export interface Action {
  key: string
  label: string
  icon?: IconName
  /** The calls that it makes, or the screen that it opens; the first missing permission is named. */
  needs?: Does
  /** Why it cannot be used now. */
  disabled?: string | false
  danger?: boolean
  onClick: () => void
}

type Common = Pick<Action, 'needs' | 'disabled' | 'onClick'>

/** Opens the form that changes the row. */
export const editAction = (action: Common): Action => ({ key: 'edit', label: t('ui-edit'), icon: 'edit', ...action })

/** Asks whether to delete the row. */
export const deleteAction = (action: Common): Action => ({
  key: 'delete',
  label: t('ui-delete'),
  icon: 'delete',
  danger: true,
  ...action,
})

/**
 * The actions of a row, behind one button; dangerous ones are last and separate. A disabled one shows why. If several
 * lack a permission, who can grant it is said once, below them.
 */
export function ActionMenu({ actions, label }: { actions: readonly Action[]; label?: string }) {
  const lacking = useLackingTo()
  const lacks = new Map(actions.map(({ key, needs }) => [key, lacking(needs)]))
  const [one, another] = [...lacks.values()].filter((lack) => lack !== undefined && isOfTeam(lack))
  const saidOnce = another === undefined ? undefined : one
  const reason = (lack: Lack) =>
    saidOnce !== undefined && isOfTeam(lack) ? lackOf(lack) : <MissingPermission needs={lack} />
  const item = (action: Action) => {
    const lack = lacks.get(action.key)
    const blocked = lack !== undefined || Boolean(action.disabled)
    return {
      key: action.key,
      className: blocked ? 'g-action-blocked' : '',
      // Not `disabled`, which would hide the reason from keyboard users.
      onClick: () => {
        if (!blocked) action.onClick()
      },
      label: (
        <span className="g-action" aria-disabled={blocked}>
          {action.icon && <Icon name={action.icon} size={14} />}
          <span>
            {action.label}
            {blocked && <small>{lack === undefined ? action.disabled : reason(lack)}</small>}
          </span>
        </span>
      ),
      ...(action.danger && !blocked ? { danger: true } : {}),
    }
  }
  const calm = actions.filter((action) => !action.danger)
  const danger = actions.filter((action) => action.danger)
  const items = [
    ...calm.map(item),
    ...(calm.length > 0 && danger.length > 0 ? [{ type: 'divider' as const }] : []),
    ...danger.map(item),
    ...(saidOnce === undefined ? [] : [{ type: 'group' as const, label: <WhoGrants needs={saidOnce} /> }]),
  ]
  return (
    <Menu menu={{ items }}>
      <Button quiet small icon="more" label={label ?? t('ui-actions')} />
    </Menu>
  )
}
