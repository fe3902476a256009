import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import type { Needs } from '../../api/session.ts'
import { Icon } from '../icon.tsx'
import { MissingPermission } from '../may.tsx'

/** A view that the user's role excludes: the missing permission and who can grant it, or the server's message. */
export function Locked({ needs, memo }: { needs: Needs | string | undefined; memo?: ReactNode }) {
  return (
    <div className="g-locked" role="status">
      <Icon name="lock" size={20} />
      <div>
        <b>{t('ui-locked')}</b>
        <p>{needs === undefined ? memo : <MissingPermission needs={needs} />}</p>
      </div>
    </div>
  )
}
