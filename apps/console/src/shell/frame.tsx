import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { topics } from '@gantry/contract/push/topics'
import { teams } from '@gantry/contract/teams/teams'
import { t } from '../api/language.ts'
import { notify, toast } from '../api/notices.ts'
import { checkRights, reloadRights, useSigned, useUser } from '../api/session.ts'
import { local } from '../api/storage.ts'
import { usePush } from '../api/use-push.ts'
import { ConfirmHost } from '../ui/dialog.tsx'
import { hrefOf, to } from '../ui/link.tsx'
import { Footer } from './footer.tsx'
import { followTabs, ways } from './leave.ts'
import { Palette } from './palette.tsx'
import { ReloginDialog } from './relogin-dialog.tsx'
import { Shortcuts, useShortcuts } from './shortcuts.tsx'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { ViewBanner } from './view-banner.tsx'

/** What the push channel says to one user: shown where it is addressed to this one. */
interface Addressed {
  userID: number
  success: boolean
  msg: string
}

const isAddressed = (content: unknown): content is Addressed =>
  typeof content === 'object' && content !== null && 'userID' in content && 'msg' in content

const changes = (content: unknown, what: string): boolean =>
  typeof content === 'object' && content !== null && 'changed' in content && content.changed === what

/** The bars, the sheet that carries the screen, and what floats above both. */
export function Frame({ children }: { children: ReactNode }) {
  const router = useRouter()
  const user = useUser()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [collapsed, setCollapsed] = useState(() => local.get<boolean>('collapsed') ?? false)
  // The drawer belongs to the screen that it was opened on: going somewhere closes it.
  const [drawerOn, setDrawerOn] = useState<string>()
  const drawer = drawerOn === path
  const [floating, setFloating] = useState<'palette' | 'shortcuts'>()

  const collapse = () => {
    local.set('collapsed', !collapsed)
    setCollapsed(!collapsed)
  }
  useShortcuts({
    palette: () => setFloating('palette'),
    shortcuts: () => setFloating('shortcuts'),
    collapse,
  })
  useEffect(
    () => followTabs((teamId) => router.history.push(hrefOf(to('new-dashboard', { team_id: teamId })))),
    [router],
  )
  const client = useQueryClient()
  const teamId = useSigned()?.teamId
  const followRights = async () => {
    const still = await reloadRights().catch(() => true)
    if (still) return
    toast.error(t('user-team'))
    ways.toDashboard()
  }
  usePush(teamId === undefined ? undefined : topics.team(teamId), ({ content }) => {
    if (!changes(content, 'team')) return
    void client.invalidateQueries({ queryKey: [teams.get.method, teams.get.path] })
    void followRights()
  })
  usePush(
    topics.user(user.id),
    ({ content }) => {
      if (changes(content, 'rights')) void followRights()
      if (isAddressed(content) && content.userID === user.id) notify(content.success ? 'ok' : 'warn', content.msg)
    },
    () => void checkRights(),
  )

  return (
    <div className={collapsed ? 'g-frame g-frame-collapsed' : 'g-frame'}>
      <a className="g-skip" href="#content">
        {t('shell-skip')}
      </a>
      <TopBar
        onMenu={() => setDrawerOn(path)}
        onSearch={() => setFloating('palette')}
        onShortcuts={() => setFloating('shortcuts')}
      />
      <SideBar collapsed={collapsed} onCollapse={collapse} drawer={drawer} onClose={() => setDrawerOn(undefined)} />
      <div className="g-sheet">
        <ViewBanner />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <Footer />
      </div>
      {floating === 'palette' && <Palette onClose={() => setFloating(undefined)} />}
      {floating === 'shortcuts' && <Shortcuts onClose={() => setFloating(undefined)} />}
      <ConfirmHost />
      <ReloginDialog />
    </div>
  )
}
