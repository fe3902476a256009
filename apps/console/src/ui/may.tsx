import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../api/hooks.ts'
import { isPhrase, t } from '../api/language.ts'
import { useMay, useSigned } from '../api/session.ts'
import { useTeamId } from './link.tsx'

const nameOf = (permission: string): string => {
  const key = `permission.${permission}`
  return isPhrase(key) ? t(key) : permission
}

/** Why not, and who can help: the permission in words and by key, and the leaders who can grant it. */
export function MissingPermission({ needs }: { needs: string }) {
  const teamId = useTeamId()
  const member = useSigned()?.user.teams.some((team) => team.id === teamId) ?? false
  const team = useRead(teams.get, { params: { id: teamId } }, { enabled: member, staleMs: 60_000 })
  const who = team.data?.managers.join(', ')
  return (
    <>
      {t('ui-permission-missing', { what: nameOf(needs), permission: needs })}{' '}
      {who ? t('ui-permission-who', { who }) : t('ui-permission-leader')}
    </>
  )
}

/**
 * The words under a pointer that rests on something disabled; nothing where there is no reason. The wrapper is there
 * either way: a button that opens or closes is the same button, and keeps the focus.
 */
export function Reason({ reason, children }: { reason: ReactNode | undefined; children: ReactNode }) {
  return <Tooltip title={reason ?? ''}>{children}</Tooltip>
}

/** Whether something may be used, and the reason to show where it may not. */
export function useGuarded(needs: string | undefined, disabled?: string | false): ReactNode | undefined {
  const may = useMay(needs)
  if (!may && needs !== undefined) return <MissingPermission needs={needs} />
  return disabled || undefined
}
