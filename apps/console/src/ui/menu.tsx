import { Dropdown, type MenuProps } from 'antd'
import { useRef, type ReactNode } from 'react'

interface MenuBoxProps {
  menu: MenuProps
  /** The button. */
  children: ReactNode
  /** Aligned with the button's start instead of its end. */
  start?: boolean
}

/**
 * A menu behind a button. By keyboard: Enter opens it and goes to its first entry, arrows move, Escape closes it and
 * returns to the button. Closing what an entry has opened returns there too.
 */
export function Menu({ menu, children, start = false }: MenuBoxProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  const comeBack = (open: boolean) => {
    const now = document.activeElement
    const inside = now === document.body || now?.closest('.ant-dropdown')
    if (!open && inside) anchor.current?.querySelector('button')?.focus()
  }
  return (
    <Dropdown
      autoFocus
      menu={{
        ...menu,
        onClick: (info) => {
          // Otherwise Enter would also press the button that is focused next, and reopen the menu.
          info.domEvent.preventDefault()
          menu.onClick?.(info)
        },
      }}
      trigger={['click']}
      placement={start ? 'bottomLeft' : 'bottomRight'}
      onOpenChange={comeBack}
    >
      <span ref={anchor} className="g-menu">
        {children}
      </span>
    </Dropdown>
  )
}
