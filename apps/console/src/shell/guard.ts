import { redirect } from '@tanstack/react-router'
import { t } from '../api/language.ts'
import { toast } from '../api/notices.ts'
import { signed, switchTeam } from '../api/session.ts'
import { startLoading, stopLoading } from '../api/loading.ts'
import { hrefOf, to } from '../ui/link.tsx'
import type { AppRoute } from '../ui/route.ts'
import { isOpen, keepReturnPath } from '../api/return-path.ts'

/** Redirects a visitor to the login and stores the path; redirects a logged-in user away from it. */
export function guardVisitor(path: string, href: string, route: AppRoute | undefined): void {
  if (signed.get() && path === '/login') throw redirect({ href: homeHref() })
  if (signed.get() || isOpen(path) || route?.access === 'public') return
  keepReturnPath(href)
  throw redirect({ href: '/login' })
}

/** The default team's dashboard; without a team, the root. */
export const homeHref = (): string => {
  const teamId = signed.get()?.teamId
  return teamId === undefined ? '/' : hrefOf(to('new-dashboard', { team_id: teamId }))
}

/** A path with another team switches to it; one with a team without the user redirects home with the error. */
export async function guardTeam(params: { team_id?: string }): Promise<void> {
  const given = params.team_id
  const now = signed.get()
  if (given === undefined || !now || String(now.teamId) === given) return
  // The present screen belongs to the old team: the overlay prevents further work in it.
  startLoading()
  try {
    await switchTeam(Number(given))
  } catch {
    if (!signed.get()) throw redirect({ href: '/login' })
    toast.error(t('user-team'))
    throw redirect({ href: homeHref() })
  } finally {
    stopLoading()
  }
}
