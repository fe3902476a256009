import { Input } from 'antd'
import type { ComponentProps } from 'react'

type Props = ComponentProps<typeof Input.TextArea> & {
  /** Veiled as it is typed: a key or a kubeconfig has lines, which a password field would join. */
  secret?: boolean
}

/** The value of a variable: as many lines as it has. A field of a Form. */
export const ValueArea = ({ secret = false, ...props }: Props) => (
  <Input.TextArea
    {...props}
    className={secret ? 'g-mono g-grow g-veiled' : 'g-mono g-grow'}
    rows={1}
    spellCheck={false}
    autoComplete={secret ? 'new-password' : 'off'}
  />
)
