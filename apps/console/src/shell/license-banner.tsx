import { license } from '@gantry/contract/settings/license'
import { useRead } from '../api/hooks.ts'
import { useUser } from '../api/session.ts'
import { Icon } from '../ui/icon.tsx'
import { GoTo, to } from '../ui/link.tsx'
import { titleOf } from './app-route.ts'
import styles from './shell.module.css'

/**
 * Warns on every screen that the license has expired or will soon. Code and text, which comes from the server, are
 * loaded only near that day.
 */
export function LicenseBanner() {
  const { admin } = useUser()
  const { data } = useRead(license.status)
  if (!data?.message) return null
  return (
    <div className={styles.view} role="status">
      <Icon name="warn" />
      <span>{data.message}</span>
      {admin && <GoTo to={to('sys-common', {}, { tab: 'license' })}>{titleOf('sys-common')}</GoTo>}
    </div>
  )
}
