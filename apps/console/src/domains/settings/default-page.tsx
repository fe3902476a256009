import { useEffect } from 'react'
import { to, useGo } from '../../ui/link.tsx'

/** The settings' own address leads to the first of them. */
export function DefaultPage() {
  const go = useGo()
  useEffect(() => go(to('sys-common'), { replace: true }), [go])
  return null
}
