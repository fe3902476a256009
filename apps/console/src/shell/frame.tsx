import { licenseWarningMs } from '@gantry/contract/settings/license-warning'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { notifications } from '@gantry/contract/notifications/notifications'
import { teams } from '@gantry/contract/teams/teams'
import { teamTopic } from '@gantry/contract/teams/topics'
import { userTopic } from '@gantry/contract/users/topics'
import { call } from '../api/call.ts'
import { t, withWords } from '../api/language.ts'
import { keepErrors, toast } from '../api/notices.ts'
import { checkRights, reloadRights, useHolds, useSigned, useUser } from '../api/session.ts'
import { local } from '../api/storage.ts'
import { usePush } from '../api/use-push.ts'
import { ConfirmHost } from '../ui/feedback/dialog.tsx'
import { HintHost } from '../ui/feedback/hint.tsx'
import { later } from '../ui/feedback/later.ts'
import { Locked } from '../ui/feedback/locked.tsx'
import { hrefOf, to } from '../ui/link.tsx'
import { useStore } from '../api/store.ts'
import { nonce } from '../ui/nonce.ts'
import { Page } from '../ui/page.tsx'
import { Theme } from '../ui/theme/theme.tsx'
import { lackingOf } from '../ui/route.ts'
import { titleOf, useAppRoute } from './app-route.ts'
import { followTabs, ways } from './leave.ts'
import { ReloginDialog } from './relogin-dialog.tsx'
import { Shortcuts, useShortcuts } from './shortcuts.tsx'
import { SkipBar } from './skip-bar.tsx'
import { SideBar } from './bars/side-bar.tsx'
import { TopBar } from './bars/top-bar.tsx'
import { ViewBanner } from './view-banner.tsx'
import { product, releaseOf } from './product.ts'
import styles from './shell.module.css'

const LicenseBanner = later(async () => (await import('./license-banner.tsx')).LicenseBanner)
const NewsDialog = later(async () => (await import('./news-dialog.tsx')).NewsDialog)
const Palette = later(async () => (await withWords('palette', () => import('./palette/palette.tsx'))).Palette)

/** The bars, the sheet with the screen, and overlays, inside antd's providers. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <Theme nonce={nonce()}>
    <Bars>{children}</Bars>
    <HintHost />
  </Theme>
)

function Bars({ children }: { children: ReactNode }) {
  const router = useRouter()
  const user = useUser()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [collapsed, setCollapsed] = useState(() => local.get<boolean>('collapsed') ?? false)
  // The drawer belongs to the screen on which it was opened: navigating closes it.
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
  useEffect(
    () =>
      keepErrors((text) => {
        // Keeping an error may fail, as while viewing as a role; it was displayed anyway.
        call(notifications.keepError, { body: { text: text.slice(0, 1000) } }).catch(() => undefined)
      }),
    [],
  )
  const client = useQueryClient()
  const teamId = useSigned()?.teamId
  const followRights = async () => {
    const still = await reloadRights().catch(() => true)
    if (still) return
    toast.error(t('user-team'))
    ways.toDashboard()
  }
  usePush([teamTopic], teamId === undefined ? undefined : { teamId }, (content) => {
    if (content && content.changed !== 'team') return
    void client.invalidateQueries({ queryKey: [teams.get.method, teams.get.path] })
    void followRights()
  })
  usePush(
    [userTopic],
    { userId: user.id },
    () => void followRights(),
    () => void checkRights(),
  )

  return (
    <div className={collapsed ? `${styles.frame} ${styles.collapsed}` : styles.frame}>
      <SkipBar />
      <TopBar
        onMenu={() => setDrawerOn(path)}
        onSearch={() => setFloating('palette')}
        onShortcuts={() => setFloating('shortcuts')}
      />
      <SideBar collapsed={collapsed} onCollapse={collapse} drawer={drawer} onClose={() => setDrawerOn(undefined)} />
      <div className={styles.sheet} data-sheet>
        {isNear(user.licensedUntil) && <LicenseBanner />}
        <ViewBanner />
        <main id="content" tabIndex={-1}>
          <Screen>{children}</Screen>
        </main>
        <Footer />
      </div>
      {floating === 'palette' && <Palette onClose={() => setFloating(undefined)} />}
      {floating === 'shortcuts' && <Shortcuts onClose={() => setFloating(undefined)} />}
      {!!user.news && !floating && <NewsDialog />}
      <ConfirmHost />
      <ReloginDialog />
    </div>
  )
}

/** Soon, or past. A tab that was opened with an earlier release stored no such time. */
const isNear = (time: string | null | undefined): boolean => !!time && Date.parse(time) - Date.now() < licenseWarningMs

const year = new Date().getFullYear()

function Footer() {
  const { productName, version } = useStore(product)
  return (
    <footer className={`${styles.footer} g-num`} title={version}>
      © {year} {productName} · {releaseOf(version, location.hostname)}
    </footer>
  )
}

/** The screen, or in its place the permission that it needs. */
function Screen({ children }: { children: ReactNode }) {
  const route = useAppRoute()
  const lacking = lackingOf(route, useHolds())
  if (lacking === undefined) return children
  return (
    <Page title={titleOf(route?.name)}>
      <Locked needs={lacking} />
    </Page>
  )
}
