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
  /** The calls that it makes, or the screen that it opens; the first permission that lacks for it is named. */
  needs?: Does
  /** Why it cannot be used now. */
  disabled?: string | false
  danger?: boolean
  onClick: () => void
}

/**
 * The actions of a row, behind one button; dangerous ones are last and separate. A disabled one says why. Where several
 * lack a permission, who can grant one is said once, below them.
 */
export function ActionMenu({ actions, label }: { actions: readonly Action[]; label?: string }) {
  const lacking = useLackingTo()
  const ofTeam = actions.map(({ needs }) => lacking(needs)).filter((lack) => lack !== undefined && isOfTeam(lack))
  const [someLack] = ofTeam.length > 1 ? ofTeam : []
  const reason = (lack: Lack) =>
    someLack !== undefined && isOfTeam(lack) ? lackOf(lack) : <MissingPermission needs={lack} />
  const item = (action: Action) => {
    const lacks = lacking(action.needs)
    const blocked = lacks !== undefined || Boolean(action.disabled)
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
            {blocked && <small>{lacks === undefined ? action.disabled : reason(lacks)}</small>}
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
    ...(someLack === undefined ? [] : [{ type: 'group' as const, label: <WhoGrants needs={someLack} /> }]),
  ]
  return (
    <Menu menu={{ items }}>
      <Button quiet small icon="more" label={label ?? t('ui-actions')} />
    </Menu>
  )
}
