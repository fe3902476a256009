import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { permissionsOf } from '@gantry/contract/endpoint'
import { roles } from '@gantry/contract/teams/roles'
import { useRead } from '../api/hooks.ts'
import { isPhrase, t } from '../api/language.ts'
import { type Lack, type Needs, useHolds, useLacking, useSigned } from '../api/session.ts'
import { paths } from '../paths.gen.ts'
import { type To, useTeamId } from './link.tsx'
import { lackingOf } from './route.ts'

const nameOf = (permission: string): string => {
  const key = `permission.${permission}`
  return isPhrase(key) ? t(key) : permission
}

/** The text for a missing permission, without more details. */
export const lackOf = (permission: string): string => t('ui-permission-missing', { what: nameOf(permission) })

/** Permissions of the whole installation, which only system roles contain. */
const ofSystem = (permission: string): boolean => permission.startsWith('system_')

function useGivers(needs: string) {
  const teamId = useTeamId()
  const { data } = useRead(
    roles.givers,
    { params: { teamId, name: needs } },
    { enabled: teamId > 0, staleMs: 60_000, keep: false },
  )
  return { data, names: data?.leaders.join(', ') }
}

/** Names the team's roles with a permission, and the leaders who can assign one. */
function Givers({ needs }: { needs: string }) {
  const { data, names } = useGivers(needs)
  return (
    <>
      {data && data.roles.length > 0 && t('ui-permission-roles', { roles: data.roles.join(', ') })}{' '}
      {names ? t('ui-permission-who', { who: names }) : t('ui-permission-leader')}
    </>
  )
}

/**
 * Why not, and who can help: the missing permission for these calls, the roles that contain it, and the leaders who can
 * grant it. A string names the permission itself: from a refusal, a route, or a list of permissions. If the server
 * refuses what this tab believes to be allowed, the server is right.
 */
export function MissingPermission({ needs }: { needs: Needs | string }) {
  const lacking = useLacking()
  const lack =
    typeof needs === 'string'
      ? needs
      : (lacking(needs) ?? [needs].flat().flatMap(({ access }) => permissionsOf(access))[0])
  if (lack === undefined) return null
  if (lack === 'admin') return t('admin-only')
  return (
    <>
      {lackOf(lack)} {ofSystem(lack) ? t('ui-permission-admin') : <Givers needs={lack} />}
    </>
  )
}

/** Who can grant several missing permissions, each of which is named elsewhere. */
export function WhoGrants({ needs }: { needs: string }) {
  const { names } = useGivers(needs)
  return names ? t('ui-permissions-who', { who: names }) : t('ui-permissions-leader')
}

/** Whether a leader of the team can grant it. */
export const isOfTeam = (lack: Lack): boolean => lack !== 'admin' && !ofSystem(lack)

/** What a control does: the calls that it makes, or the screen that it opens. */
export type Does = Needs | To

/** The first thing that the user lacks for it. The needs of a screen are known without its calls. */
export function useLackingTo(): (does: Does | undefined) => Lack | undefined {
  const lacking = useLacking()
  const holds = useHolds()
  const admin = useSigned()?.user.admin ?? false
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  return (does) => {
    if (does === undefined || !('search' in does)) return lacking(does)
    const route = router?.routesByPath[paths[does.name]]?.options.staticData?.app
    return route?.access === 'admin' && !admin ? 'admin' : lackingOf(route, holds)
  }
}

/** Why something cannot be used; undefined if it can. */
export function useGuarded(needs: Does | undefined, disabled?: string | false): ReactNode | undefined {
  const lacking = useLackingTo()(needs)
  if (lacking !== undefined) return <MissingPermission needs={lacking} />
  return disabled || undefined
}
