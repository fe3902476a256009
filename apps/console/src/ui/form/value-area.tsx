import { Input } from 'antd'
import type { ComponentProps } from 'react'

type Props = ComponentProps<typeof Input.TextArea> & {
  /** Masked while typing. Not a password field, because that would join the lines of a key or a kubeconfig. */
  secret?: boolean
}

/** The value of a variable, with any number of lines. A field of a Form. */
export const ValueArea = ({ secret = false, ...props }: Props) => (
  <Input.TextArea
    {...props}
    className={secret ? 'g-mono g-grow g-veiled' : 'g-mono g-grow'}
    rows={1}
    spellCheck={false}
    autoComplete={secret ? 'new-password' : 'off'}
  />
)
