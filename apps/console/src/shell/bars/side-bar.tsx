import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { local } from '../../api/storage.ts'
import { useHint } from '../../ui/feedback/hint.tsx'
import { Icon } from '../../ui/icon.tsx'
import { GoTo, to, useTeamId } from '../../ui/link.tsx'
import { MissingPermission } from '../../ui/may.tsx'
import { titleOf, useAppRoute, useLocked } from '../app-route.ts'
import { areaOf, menuOf, type Entry } from './menu.ts'
import { Logo } from './logo.tsx'
import styles from './side-bar.module.css'

interface SideBarProps {
  collapsed: boolean
  onCollapse: () => void
  /** A drawer on narrow windows. */
  drawer: boolean
  onClose: () => void
}

/** The specification's entries of the open area. The highlighted one and the collapsed state are remembered. */
export function SideBar({ collapsed, onCollapse, drawer, onClose }: SideBarProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { admin } = useUser()
  const current = areaOf(path)
  const area = current === 'settings' && !admin ? 'team' : current
  const lockedBy = useLocked()
  const route = useAppRoute()
  const groups = menuOf(area)
  const wanted = route?.under ?? route?.name
  const listed = groups.some((group) => group.entries.some((entry) => entry.route === wanted))
  // A screen without an entry keeps the last one highlighted.
  const active = listed ? wanted : local.get<string>('active')
  useEffect(() => {
    if (listed) local.set('active', wanted)
  }, [listed, wanted])

  const close = useRef<HTMLButtonElement>(null)
  const leave = useEffectEvent(onClose)
  // The drawer takes the focus, Escape closes it, and the focus returns to where it was.
  useEffect(() => {
    if (!drawer) return undefined
    const before = document.activeElement
    close.current?.focus()
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') leave()
    }
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [drawer])

  return (
    <>
      {drawer && <div className={styles.scrim} onClick={onClose} aria-hidden />}
      <nav
        className={[styles.side, collapsed && styles.collapsed, drawer && styles.open].filter(Boolean).join(' ')}
        id="navigation"
        aria-label={t('shell-navigation')}
      >
        <div className={styles.drawerHead}>
          <Logo />
          <button ref={close} type="button" className="g-bare" aria-label={t('ui-close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div className={styles.scroll}>
          {area !== 'team' && (
            <GoTo to={to('new-dashboard')} className={styles.back}>
              <Icon name="back" />
              <span>{t('shell-back-to-team')}</span>
            </GoTo>
          )}
          {groups.map((group) => (
            <div key={group.entries[0]?.route} className={styles.group}>
              {group.title !== undefined && group.entries.length > 0 && <h2>{t(group.title)}</h2>}
              <ul>
                {group.entries.map((entry) => (
                  <li key={entry.route}>
                    <SideEntry
                      entry={entry}
                      lit={entry.route === active}
                      collapsed={collapsed && !drawer}
                      lacking={lockedBy(entry.route)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        <button
          type="button"
          className={styles.collapse}
          aria-expanded={!collapsed}
          aria-label={t(collapsed ? 'shell-expand' : 'shell-collapse')}
          onClick={onCollapse}
        >
          <Icon name="collapse" />
          <span>{t('shell-collapse')}</span>
        </button>
      </nav>
    </>
  )
}

interface SideEntryProps {
  entry: Entry
  lit: boolean
  collapsed: boolean
  /** The permission that the user lacks for its screen. */
  lacking: string | undefined
}

function SideEntry({ entry, lit, collapsed, lacking }: SideEntryProps) {
  const title = titleOf(entry.route)
  const teamId = useTeamId()
  const why = lacking !== undefined && <MissingPermission needs={lacking} />
  const hint = useHint(why || (collapsed ? title : undefined), { side: 'right', focus: lacking !== undefined })
  return (
    <span {...hint}>
      <GoTo
        to={{ name: entry.route, params: { team_id: teamId }, search: {} }}
        className={[styles.entry, lit && styles.lit, lacking !== undefined && styles.locked].filter(Boolean).join(' ')}
        current={lit}
      >
        <Icon name={entry.icon} />
        <span className={styles.word}>{title}</span>
        {lacking !== undefined && <Icon name="lock" size={14} />}
      </GoTo>
    </span>
  )
}
