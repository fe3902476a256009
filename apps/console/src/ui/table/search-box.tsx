import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { clearButton } from '../form/clear-button.tsx'
import { Icon } from '../icon.tsx'

/** The pause in typing after which a request is made. */
export const searchDebounceMs = 300

/** A search field; the list follows after a pause in typing, or at once on Enter. */
export function SearchBox({
  value,
  onSearch,
  label,
}: {
  value: string
  onSearch: (text: string) => void
  label: string
}) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // A change from outside (back, a cleared filter) is shown; the field's own change does not disturb typing.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (next: string) => {
    clearTimeout(timer.current)
    if (next === sent.current) return
    sent.current = next
    onSearch(next)
  }
  return (
    <Input
      className="g-search"
      type="search"
      role="searchbox"
      value={text}
      placeholder={label}
      aria-label={label}
      allowClear={clearButton()}
      maxLength={200}
      prefix={<Icon name="search" size={14} />}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(next.trim()), searchDebounceMs)
      }}
      onPressEnter={() => search(text.trim())}
    />
  )
}
