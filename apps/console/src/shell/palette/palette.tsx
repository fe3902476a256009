import { useId, useState, type KeyboardEvent } from 'react'
import { search, type SearchHit } from '@gantry/contract/search/search'
import { useRead } from '../../api/hooks.ts'
import { t, type PhraseKey } from '../../api/language.ts'
import { useSigned, useUser } from '../../api/session.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useGo, type RouteName, type To } from '../../ui/link.tsx'
import { useDelayed } from '../../ui/form/remote-select.tsx'
import { titleOf, useLocked } from '../app-route.ts'
import { menuOf, type Area } from '../bars/menu.ts'
import { type Found, nameIn, useActions, useActsOn } from './actions.ts'
import { aboutOf, iconOf, keyOf, noteOpened, placeOf, recentThings } from './things.ts'
import styles from './palette.module.css'

/** The server is asked after this pause in typing, and an earlier request is cancelled. */
export const paletteDelayMs = 150
const longest = 100

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
  const { admin } = useUser()
  return [
    ...pagesOf('team', go, lockedBy),
    ...pagesOf('team-admin', go, lockedBy),
    ...(admin ? pagesOf('settings', go, lockedBy) : []),
    ...pagesOf('profile', go, lockedBy),
  ]
}

/**
 * The server's hits, after a pause in typing, and the actions on them; without a text the recently opened objects. `run
 * shop` searches for shop, and offers to run it. `others`: something else matches already.
 */
function useThings(typed: string, others: boolean): { things: Found[]; acts: Found[]; said: string } {
  const go = useGo()
  const user = useUser()
  const teamId = useSigned()?.teamId
  const actsOn = useActsOn()
  const wanted = nameIn(typed)
  const keyword = useDelayed(wanted, paletteDelayMs)
  const [recent] = useState(() => recentThings(user.id))
  const { data, error, isFetching, isPlaceholderData } = useRead(
    search.find,
    { query: { keyword } },
    { enabled: keyword !== '' },
  )
  const toFound = (hit: SearchHit): Found => ({
    key: keyOf(hit),
    icon: iconOf[hit.kind],
    title: hit.name,
    where: aboutOf(hit, teamId),
    run: () => {
      noteOpened(user.id, hit)
      go(placeOf(hit))
    },
  })
  if (typed === '') return { things: recent.map(toFound), acts: [], said: '' }
  const waiting = wanted !== keyword || isFetching || isPlaceholderData
  const hits = keyword === '' || error || !data ? [] : data.items
  // While waiting, or if the text has a verb, shows the hits that also match the present text.
  const exact = waiting || wanted !== typed
  const fitting = (all: Found[]) => (exact ? all.filter((one) => matches(typed, one)) : all)
  const [things, acts] = [fitting(hits.map(toFound)), fitting(hits.flatMap(actsOn))]
  const is = (said: string) => ({ things, acts, said })
  if (waiting) return is(things.length + acts.length > 0 ? '' : t('search-looking'))
  if (error) return is(t('search-failed'))
  if (data && data.unread.length > 0) return is(t('search-unread'))
  if (things.length + acts.length === 0) return is(others ? '' : t('search-nothing', { keyword: typed }))
  return is(data?.more ? t('search-more') : '')
}

/** Ctrl-K: opens any page or object, or runs a global action. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const typed = text.trim()
  const pages = [...usePages(), ...useActions()].filter((one) => matches(typed, one))
  const { things, acts, said } = useThings(typed, pages.length > 0)
  const groups: Group[] =
    typed === ''
      ? [
          { title: 'search-recent', found: things },
          { title: 'search-pages', found: pages },
        ]
      : [
          { title: 'search-pages', found: pages },
          { title: 'search-things', found: things },
          { title: 'search-do-actions', found: acts },
        ]
  const found = groups.flatMap((group) => group.found)
  const current = Math.max(0, Math.min(at, found.length - 1))
  const run = (one: Found | undefined) => {
    if (!one) return
    onClose()
    one.run()
  }
  const onKey = (event: KeyboardEvent) => {
    // While an input method is composing a character, the keys belong to it.
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
