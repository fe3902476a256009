import { t } from '../api/language.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useMayAny } from '../api/session.ts'
import { MissingPermission } from './may.tsx'
import { Menu } from './menu.tsx'

export interface Action {
  key: string
  label: string
  icon?: IconName
  needs?: string
  /** Why it cannot be used now. */
  disabled?: string | false
  danger?: boolean
  onClick: () => void
}

/** What can be done with a row, behind one button; dangerous things come last, apart. What cannot be done says why. */
export function ActionMenu({ actions, label }: { actions: readonly Action[]; label?: string }) {
  const may = useMayAny()
  const item = (action: Action) => {
    const permitted = action.needs === undefined || may(action.needs)
    const blocked = !permitted || Boolean(action.disabled)
    return {
      key: action.key,
      className: blocked ? 'g-action-blocked' : '',
      // Not `disabled`: that would hide the reason from the keyboard.
      onClick: () => {
        if (!blocked) action.onClick()
      },
      label: (
        <span className="g-action" aria-disabled={blocked}>
          {action.icon && <Icon name={action.icon} size={14} />}
          <span>
            {action.label}
            {blocked && <small>{permitted ? action.disabled : <MissingPermission needs={action.needs ?? ''} />}</small>}
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
  ]
  return (
    <Menu menu={{ items }}>
      <Button quiet small icon="more" label={label ?? t('ui-actions')} />
    </Menu>
  )
}
