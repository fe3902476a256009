import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'

interface FullScreenProps {
  /** The element that fills the screen; it gets the class `g-full`. */
  whole: RefObject<HTMLElement | null>
  /** Moves the focus to the pane's content. */
  focus: () => void
}

/** Expands a pane to the whole screen and back. The focus moves into the pane; when it leaves, full screen ends. */
export function FullScreenButton({ whole, focus }: FullScreenProps) {
  const [full, setFull] = useState(false)
  const change = useEffectEvent(() => {
    const now = document.fullscreenElement !== null && document.fullscreenElement === whole.current
    if (now || full) focus()
    setFull(now)
  })
  useEffect(() => {
    const onChange = () => change()
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      const stays = !(relatedTarget instanceof Node) || whole.current?.contains(relatedTarget)
      if (!stays && document.fullscreenElement === whole.current) void document.exitFullscreen()
    }
    const element = whole.current
    document.addEventListener('fullscreenchange', onChange)
    element?.addEventListener('focusout', onFocusOut)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      element?.removeEventListener('focusout', onFocusOut)
    }
  }, [whole])
  if (!document.fullscreenEnabled) return null
  return (
    <Button
      quiet
      small
      icon="full"
      label={t(full ? 'ui-full-leave' : 'ui-full')}
      pressed={full}
      onClick={() => void (full ? document.exitFullscreen() : whole.current?.requestFullscreen())}
    />
  )
}
