import type { Keys } from '@gantry/contract/endpoint'
import { Button as Antd } from 'antd'
import type { ReactNode } from 'react'
import { useHint } from './feedback/hint.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useGuarded } from './may.tsx'

export interface ButtonProps {
  children?: ReactNode
  icon?: IconName
  /** The words of a button that shows its icon alone. */
  label?: string
  /** A page has one. */
  primary?: boolean
  danger?: boolean
  /** Without a frame: for rows and bars. */
  quiet?: boolean
  small?: boolean
  /** The permissions that it takes. Who lacks one sees the button disabled, and why. */
  needs?: Keys
  /** Why it cannot be used now; the reason shows under the pointer and to screen readers. */
  disabled?: string | false
  loading?: boolean
  submit?: boolean
  /** A switch: whether it is on. */
  pressed?: boolean
  onClick?: () => void
}

/** The product's button. It is never dead: disabled, it says why, and stays reachable by keyboard for that. */
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
