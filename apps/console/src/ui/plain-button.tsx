import type { ReactNode } from 'react'

interface PlainButtonProps {
  children: ReactNode
  primary?: boolean
  submit?: boolean
  busy?: boolean
  onClick?: () => void
}

/** A button without antd: for the login, and for errors while code could not be loaded. */
export const PlainButton = ({ children, primary, submit, busy = false, onClick }: PlainButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    className={primary ? 'g-plain g-plain-primary' : 'g-plain'}
    aria-busy={busy}
    onClick={onClick}
  >
    {children}
  </button>
)
