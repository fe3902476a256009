import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { holdDraft } from '../../api/draft.ts'
import { t } from '../../api/language.ts'
import { confirm } from '../feedback/dialog.tsx'

/**
 * Asks before unsaved changes are left, by navigation or by closing the tab. A changed query is the same screen.
 * Meanwhile an expired session is renewed in place.
 */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => (dirty ? holdDraft() : undefined), [dirty])
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: dirty,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      const leave = await confirm({
        title: t('ui-unsaved-title'),
        text: t('ui-unsaved-text'),
        danger: true,
        ok: t('ui-unsaved-leave'),
      })
      return !leave
    },
  })
}
