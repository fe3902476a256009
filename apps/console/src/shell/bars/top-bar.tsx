import { useStore } from '../../api/store.ts'
import { language, switchLanguage, t } from '../../api/language.ts'
import { systemRoleName } from '../../api/role-names.ts'
import { useUser } from '../../api/session.ts'
import { OwnAvatar } from '../../domains/users/public.tsx'
import { Icon } from '../../ui/icon.tsx'
import { GoTo, to, useGo } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { chooseTheme, themeChoice, type ThemeChoice } from '../../ui/theme/dark.ts'
import { titleOf } from '../app-route.ts'
import { Bell } from './bell.tsx'
import { logOut } from '../leave.ts'
import { Logo } from './logo.tsx'
import { menuOf } from './menu.ts'
import { TeamSwitch } from './team-switch.tsx'
import styles from './top-bar.module.css'

interface TopBarProps {
  onMenu: () => void
  onSearch: () => void
  onShortcuts: () => void
}

/** In the console's language, which may differ from the browser's. */
export const manual = `/document/?lang=${language}`

export function TopBar({ onMenu, onSearch, onShortcuts }: TopBarProps) {
  const user = useUser()
  return (
    <header className={styles.bar}>
      <button type="button" className={`g-bare ${styles.menu}`} aria-label={t('shell-navigation')} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <GoTo to={to('new-dashboard')} className={styles.logoLink}>
        <Logo />
      </GoTo>
      <span className={styles.slash} aria-hidden />
      <TeamSwitch />
      <span className={styles.space} />
      <button type="button" className={styles.search} onClick={onSearch} aria-keyshortcuts="Control+K">
        <span className="g-hidden">{t('shell-search')}</span>
        <Icon name="search" />
        <span aria-hidden>{t('shell-search')}</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className={`g-bare ${styles.wideOnly}`}
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={switchLanguage}
      >
        <Icon name="language" />
        <span>{language === 'en' ? '中文' : 'English'}</span>
      </button>
      <ThemeButton />
      <a
        className={`g-bare ${styles.wideOnly}`}
        href={manual}
        target="_blank"
        rel="noreferrer"
        aria-label={t('shell-manual')}
        title={t('shell-manual')}
      >
        <Icon name="docs" />
      </a>
      <Bell />
      {user.admin && <Gear />}
      <UserMenu onShortcuts={onShortcuts} />
    </header>
  )
}

const themes: readonly { key: ThemeChoice; label: 'shell-theme-system' | 'shell-theme-light' | 'shell-theme-dark' }[] =
  [
    { key: 'system', label: 'shell-theme-system' },
    { key: 'light', label: 'shell-theme-light' },
    { key: 'dark', label: 'shell-theme-dark' },
  ]

function ThemeButton() {
  const choice = useStore(themeChoice)
  const items = themes.map(({ key, label }) => ({ key, label: t(label), onClick: () => chooseTheme(key) }))
  return (
    <Menu menu={{ items, selectedKeys: [choice] }}>
      <button
        type="button"
        className={`g-bare ${styles.wideOnly}`}
        aria-label={t('shell-theme')}
        title={t('shell-theme')}
      >
        <Icon name={choice === 'dark' ? 'moon' : 'sun'} />
      </button>
    </Menu>
  )
}

/** System settings: for administrators only, and only existing entries. */
function Gear() {
  const go = useGo()
  const items = menuOf('settings').map((group) => ({
    key: group.title ?? '',
    type: 'group' as const,
    label: group.title && t(group.title),
    children: group.entries.map((entry) => ({
      key: entry.route,
      icon: <Icon name={entry.icon} />,
      label: titleOf(entry.route),
      onClick: () => go({ name: entry.route, params: {}, search: {} }),
    })),
  }))
  if (items.length === 0) return null
  return (
    <Menu menu={{ items }}>
      <button type="button" className="g-bare" aria-label={t('shell-settings')} title={t('shell-settings')}>
        <Icon name="gear" />
      </button>
    </Menu>
  )
}

const roleOf = (user: ReturnType<typeof useUser>): string => {
  if (user.admin) return t('shell-role-admin')
  const team = user.teams[0]
  if (team?.teamLeader) return t('shell-role-leader')
  return team?.roleName || user.systemRoles.map(systemRoleName).join(', ')
}

function UserMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const user = useUser()
  const go = useGo()
  const name = user.nickname || user.userName
  const narrow = `${styles.narrowOnly}`
  const items = [
    {
      key: 'who',
      type: 'group' as const,
      label: (
        <div className={styles.who}>
          <strong>{name}</strong>
          <span>{user.email}</span>
          <span>{roleOf(user)}</span>
        </div>
      ),
    },
    { type: 'divider' as const },
    { key: 'profile', icon: <Icon name="user" />, label: t('route-info-basic'), onClick: () => go(to('info-basic')) },
    {
      key: 'password',
      icon: <Icon name="key" />,
      label: t('route-info-password'),
      onClick: () => go(to('info-password')),
    },
    { key: 'shortcuts', icon: <Icon name="terminal" />, label: t('shell-shortcuts'), onClick: onShortcuts },
    {
      key: 'manual',
      className: narrow,
      icon: <Icon name="docs" />,
      label: t('shell-manual'),
      onClick: () => void open(manual),
    },
    {
      key: 'language',
      className: narrow,
      icon: <Icon name="language" />,
      label: language === 'en' ? '中文' : 'English',
      onClick: switchLanguage,
    },
    {
      key: 'theme',
      className: narrow,
      icon: <Icon name="moon" />,
      label: t('shell-theme'),
      children: themes.map(({ key, label }) => ({ key, label: t(label), onClick: () => chooseTheme(key) })),
    },
    { type: 'divider' as const },
    { key: 'logout', icon: <Icon name="logout" />, label: t('shell-logout'), onClick: () => void logOut() },
  ]
  return (
    <Menu menu={{ items }}>
      <button type="button" className={styles.avatar} aria-label={t('shell-user-menu', { name })}>
        <OwnAvatar size={30} />
      </button>
    </Menu>
  )
}
