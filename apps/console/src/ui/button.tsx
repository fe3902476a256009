import { Button as Antd } from 'antd'
import type { ReactNode } from 'react'
import { useHint } from './feedback/hint.tsx'
import { Icon, type IconName } from './icon.tsx'
import { type Does, useGuarded } from './may.tsx'

export interface ButtonProps {
  children?: ReactNode
  icon?: IconName
  /** The label of a button that shows only its icon. */
  label?: string
  /** For the one primary button of a page. */
  primary?: boolean
  danger?: boolean
  /** Without a frame: for rows and bars. */
  quiet?: boolean
  small?: boolean
  /** The calls that it makes, or the screen that it opens. If the user may not, it is disabled, with the reason. */
  needs?: Does
  /** Why it is disabled; shown as a tooltip and to screen readers. */
  disabled?: string | false
  loading?: boolean
  submit?: boolean
  /** For a toggle: whether it is on. */
  pressed?: boolean
  onClick?: () => void
}

/** The product's button. When disabled it shows the reason, and stays reachable by keyboard for that. */
export function Button(p: ButtonProps) {
  const reason = useGuarded(p.needs, p.disabled)
  const blocked = reason !== undefined
  const hint = useHint(reason ?? (p.children === undefined ? p.label : undefined), { focus: blocked })
  return (
    <Antd
      type={p.primary ? 'primary' : p.quiet ? 'text' : 'default'}
      danger={p.danger ?? false}
      size={p.small ? 'small' : 'medium'}
      htmlType={p.submit ? 'submit' : 'button'}
      loading={p.loading ?? false}
      className={blocked ? 'g-blocked' : ''}
      aria-disabled={blocked}
      {...(p.pressed === undefined ? {} : { 'aria-pressed': p.pressed })}
      {...(p.label === undefined ? {} : { 'aria-label': p.label })}
      {...(p.icon === undefined ? {} : { icon: <Icon name={p.icon} size={p.small ? 14 : 16} /> })}
      {...hint}
      onClick={(event) => {
        if (blocked) event.preventDefault()
        else p.onClick?.()
      }}
    >
      {p.children}
    </Antd>
  )
}
