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

/** Only that it is lacking. */
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

/** Names the team's roles that contain a permission, and the leaders who can assign one. */
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
 * Why not, and who can help: the permission that is lacking for these calls, the roles that contain it, the leaders who
 * can grant it. Also for one that is named: by a refusal, by a route, in a list of permissions. Where the server left
 * out what this tab believes to be allowed, the server knows better.
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

/** Of several that are lacking, where each one's name stands beside what needs it: who can grant such permissions. */
export function WhoGrants({ needs }: { needs: string }) {
  const { names } = useGivers(needs)
  return names ? t('ui-permissions-who', { who: names }) : t('ui-permissions-leader')
}

/** Whether a leader of the team can grant it. */
export const isOfTeam = (lack: Lack): boolean => lack !== 'admin' && !ofSystem(lack)

/** What a control does: the calls that it makes, or the screen that it opens. */
export type Does = Needs | To

/** The first thing that the user lacks for it. What a screen takes is known without its calls. */
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

/** Whether something may be used, and if not, the reason to show. */
export function useGuarded(needs: Does | undefined, disabled?: string | false): ReactNode | undefined {
  const lacking = useLackingTo()(needs)
  if (lacking !== undefined) return <MissingPermission needs={lacking} />
  return disabled || undefined
}
