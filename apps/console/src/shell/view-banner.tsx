import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { t } from '../api/language.ts'
import { toast } from '../api/notices.ts'
import { useUser } from '../api/session.ts'
import { viewAs } from '../api/view-as.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './shell.module.css'

/**
 * Shows on every screen that the team is viewed as a role, and ends the view. Then all reads are repeated, in every
 * tab.
 */
export function ViewBanner() {
  const client = useQueryClient()
  const { viewAs: view, teams } = useUser()
  const [busy, setBusy] = useState(false)
  const role = view?.roleId ?? 0
  const before = useRef(role)
  useEffect(() => {
    if (before.current === role) return
    before.current = role
    void client.resetQueries()
  }, [role, client])
  if (!view) return null
  const stop = async () => {
    setBusy(true)
    try {
      await viewAs(view.teamId, 0)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.view} role="status">
      <Icon name="eye" />
      <span>
        {t('view-as-banner', { team: teams[0]?.name ?? '', role: view.roleName })}{' '}
        <span className={styles.viewNote}>{t('view-as-note')}</span>
      </span>
      <Button small loading={busy} onClick={() => void stop()}>
        {t('view-as-stop', { role: view.roleName })}
      </Button>
    </div>
  )
}
