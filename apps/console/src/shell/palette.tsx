import { Modal } from 'antd'
import { useId, useState, type KeyboardEvent } from 'react'
import { language, switchLanguage, t } from '../api/language.ts'
import { useUser } from '../api/session.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useGo, type To } from '../ui/link.tsx'
import { chooseTheme, useDark } from '../ui/theme.tsx'
import { titleOf } from './app-route.ts'
import { logOut } from './leave.ts'
import { menuOf, type Area } from './menu.ts'

interface Found {
  key: string
  icon: IconName
  title: string
  where: string
  run: () => void
}

/** Every word that was typed stands in the title or the place, in any order. */
export const matches = (typed: string, found: Pick<Found, 'title' | 'where' | 'key'>): boolean => {
  const text = `${found.title} ${found.where} ${found.key}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function pagesOf(area: Area, go: (to: To) => void): Found[] {
  return menuOf(area).flatMap((group) =>
    group.entries.map((entry) => ({
      key: entry.route,
      icon: entry.icon,
      title: titleOf(entry.route),
      where: group.title ? t(group.title) : '',
      run: () => go({ name: entry.route, params: {}, search: {} }),
    })),
  )
}

/** Ctrl-K: go anywhere, or do one of the few things that work everywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const go = useGo()
  const dark = useDark()
  const { admin } = useUser()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const all: Found[] = [
    ...pagesOf('team', go),
    ...pagesOf('team-admin', go),
    ...(admin ? pagesOf('settings', go) : []),
    ...pagesOf('profile', go),
    {
      key: 'theme',
      icon: dark ? 'sun' : 'moon',
      title: t(dark ? 'shell-theme-light' : 'shell-theme-dark'),
      where: t('shell-theme'),
      run: () => chooseTheme(dark ? 'light' : 'dark'),
    },
    {
      key: 'language',
      icon: 'language',
      title: language === 'en' ? '中文' : 'English',
      where: t('shell-language'),
      run: switchLanguage,
    },
    { key: 'logout', icon: 'logout', title: t('shell-logout'), where: '', run: () => void logOut() },
  ]
  const found = all.filter((one) => matches(typed.trim(), one))
  const current = Math.min(at, found.length - 1)
  const run = (one: Found | undefined) => {
    if (!one) return
    onClose()
    one.run()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setAt((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') run(found[current])
    else return
    event.preventDefault()
  }
  return (
    <Modal
      open
      footer={null}
      closable={false}
      onCancel={onClose}
      width={560}
      className="g-palette"
      title={<span className="g-hidden">{t('shell-search')}</span>}
      style={{ top: 88 }}
    >
      <input
        className="g-palette-input"
        autoFocus
        value={typed}
        placeholder={t('shell-palette-placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[current] && `${id}-${found[current].key}`}
        aria-label={t('shell-search')}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('shell-search')} className="g-palette-list">
        {found.map((one, i) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the input's
          <div
            key={one.key}
            id={`${id}-${one.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            ref={i === current ? (node) => node?.scrollIntoView({ block: 'nearest' }) : null}
            onPointerMove={() => setAt(i)}
            onClick={() => run(one)}
          >
            <Icon name={one.icon} />
            <span>{one.title}</span>
            <small>{one.where}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="g-faint g-palette-none">{t('ui-nothing-matches')}</p>}
    </Modal>
  )
}
