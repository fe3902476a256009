import { useId, useState, type KeyboardEvent } from 'react'
import { search, type SearchHit } from '@gantry/contract/search/search'
import { useRead } from '../../api/hooks.ts'
import { language, switchLanguage, t, type PhraseKey } from '../../api/language.ts'
import { useSigned, useUser } from '../../api/session.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useGo, type RouteName, type To } from '../../ui/link.tsx'
import { useDelayed } from '../../ui/form/remote-select.tsx'
import { chooseTheme, useDark } from '../../ui/dark.ts'
import { titleOf, useLocked } from '../app-route.ts'
import { logOut } from '../leave.ts'
import { menuOf, type Area } from '../bars/menu.ts'
import { aboutOf, iconOf, keyOf, noteOpened, placeOf, recentThings } from './things.ts'
import styles from './palette.module.css'

/** The server is asked once typing has paused for this long; an earlier request is then cancelled. */
export const paletteDelayMs = 150
const longest = 100

interface Found {
  key: string
  icon: IconName
  title: string
  where: string
  run: () => void
}

interface Group {
  title: PhraseKey
  found: Found[]
}

/** Whether every typed word occurs in the title or the place, in any order. */
export const matches = (typed: string, found: Pick<Found, 'title' | 'where' | 'key'>): boolean => {
  const text = `${found.title} ${found.where} ${found.key}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function pagesOf(area: Area, go: (to: To) => void, lockedBy: (name: RouteName) => string | undefined): Found[] {
  return menuOf(area).flatMap((group) =>
    group.entries
      .filter(({ route }) => lockedBy(route) === undefined)
      .map((entry) => ({
        key: entry.route,
        icon: entry.icon,
        title: titleOf(entry.route),
        where: group.title ? t(group.title) : '',
        run: () => go({ name: entry.route, params: {}, search: {} }),
      })),
  )
}

function usePages(): Found[] {
  const go = useGo()
  const lockedBy = useLocked()
  const dark = useDark()
  const { admin } = useUser()
  return [
    ...pagesOf('team', go, lockedBy),
    ...pagesOf('team-admin', go, lockedBy),
    ...(admin ? pagesOf('settings', go, lockedBy) : []),
    ...pagesOf('profile', go, lockedBy),
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
}

/** The server's hits, shortly after typing pauses; without a text the things opened last. */
function useThings(typed: string): { things: Found[]; said: string } {
  const go = useGo()
  const user = useUser()
  const teamId = useSigned()?.teamId
  const keyword = useDelayed(typed, paletteDelayMs)
  const [recent] = useState(() => recentThings(user.id))
  const { data, error, isFetching, isPlaceholderData } = useRead(
    search.find,
    { query: { keyword } },
    { enabled: keyword !== '' },
  )
  const shown = (hit: SearchHit): Found => ({
    key: keyOf(hit),
    icon: iconOf[hit.kind],
    title: hit.name,
    where: aboutOf(hit, teamId),
    run: () => {
      noteOpened(user.id, hit)
      go(placeOf(hit))
    },
  })
  if (typed === '') return { things: recent.map(shown), said: '' }
  const waiting = typed !== keyword || isFetching || isPlaceholderData
  const all = keyword === '' || error || !data ? [] : data.items.map(shown)
  // Of the previous answer, what also matches the present text is shown.
  const things = waiting ? all.filter((one) => matches(typed, one)) : all
  if (waiting) return { things, said: things.length > 0 ? '' : t('search-looking') }
  if (error) return { things, said: t('search-failed') }
  if (data && data.unread.length > 0) return { things, said: t('search-unread') }
  if (things.length === 0) return { things, said: t('search-nothing', { keyword: typed }) }
  return { things, said: data?.more ? t('search-more') : '' }
}

/** Ctrl-K: go to any page or thing, or run a global action. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const typed = text.trim()
  const pages = usePages().filter((one) => matches(typed, one))
  const { things, said } = useThings(typed)
  const groups: Group[] =
    typed === ''
      ? [
          { title: 'search-recent', found: things },
          { title: 'search-pages', found: pages },
        ]
      : [
          { title: 'search-pages', found: pages },
          { title: 'search-things', found: things },
        ]
  const found = groups.flatMap((group) => group.found)
  const current = Math.max(0, Math.min(at, found.length - 1))
  const run = (one: Found | undefined) => {
    if (!one) return
    onClose()
    one.run()
  }
  const onKey = (event: KeyboardEvent) => {
    // While an input method is composing a character, the keys are its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setAt((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') run(found[current])
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      closable={false}
      onClose={onClose}
      width={640}
      className={`${styles.palette}`}
      title={<span className="g-hidden">{t('shell-search')}</span>}
      style={{ top: 88 }}
    >
      <input
        className={styles.input}
        autoFocus
        value={text}
        maxLength={longest}
        placeholder={t('shell-palette-placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found[current] && `${id}-${found[current].key}`}
        aria-label={t('shell-search')}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('shell-search')} className={styles.list}>
        {groups.map((group, n) => {
          const before = groups.slice(0, n).reduce((sum, other) => sum + other.found.length, 0)
          return (
            group.found.length > 0 && (
              <div key={group.title} role="group" aria-label={t(group.title)}>
                <h3 aria-hidden>{t(group.title)}</h3>
                {group.found.map((one, i) => (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the input's
                  <div
                    key={one.key}
                    id={`${id}-${one.key}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={before + i === current}
                    ref={before + i === current ? (node) => node?.scrollIntoView({ block: 'nearest' }) : null}
                    onPointerMove={() => setAt(before + i)}
                    onClick={() => run(one)}
                  >
                    <Icon name={one.icon} />
                    <span>{one.title}</span>
                    <small>{one.where}</small>
                  </div>
                ))}
              </div>
            )
          )
        })}
      </div>
      <p role="status" className={`g-faint ${styles.said}`}>
        {said}
      </p>
    </Dialog>
  )
}
