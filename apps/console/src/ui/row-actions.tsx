import { Dropdown } from 'antd'
import { t } from '../api/language.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Reason, useGuarded } from './may.tsx'

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

/** What can be done with a row, behind one button; dangerous things come last, apart. */
export function ActionMenu({ actions, label }: { actions: readonly Action[]; label?: string }) {
  const calm = actions.filter((action) => !action.danger)
  const danger = actions.filter((action) => action.danger)
  const item = (action: Action) => ({
    key: action.key,
    label: <Item action={action} />,
    ...(action.danger ? { danger: true } : {}),
  })
  const items = [
    ...calm.map(item),
    ...(calm.length > 0 && danger.length > 0 ? [{ type: 'divider' as const }] : []),
    ...danger.map(item),
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <span>
        <Button quiet small icon="more" label={label ?? t('ui-actions')} />
      </span>
    </Dropdown>
  )
}

function Item({ action }: { action: Action }) {
  const reason = useGuarded(action.needs, action.disabled)
  const blocked = reason !== undefined
  return (
    <Reason reason={reason}>
      {/* The menu's item is the control; this is its whole face, so that a blocked one does nothing but say why. */}
      <span
        className={blocked ? 'g-action g-action-blocked' : 'g-action'}
        aria-disabled={blocked || undefined}
        onClick={(event) => {
          if (blocked) event.stopPropagation()
          else action.onClick()
        }}
      >
        {action.icon && <Icon name={action.icon} size={14} />}
        {action.label}
      </span>
    </Reason>
  )
}
