import { Popover } from 'antd'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { keptNotifications, notifications, type Notification } from '@gantry/contract/notifications/notifications'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { notify } from '../../api/notices.ts'
import { useSigned, useUser } from '../../api/session.ts'
import { DecisionListLater } from '../../domains/decisions/later.tsx'
import { useDecisions } from '../../domains/decisions/use-decisions.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copyable.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { toneIcons } from '../../ui/feedback/toasts.tsx'
import { waiting } from '../../ui/heading.ts'
import { Icon } from '../../ui/icon.tsx'
import { GoTo, hrefOf, type To } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './bell.module.css'

const pageSize = 20

const screenOf = ({ target }: Notification): To | undefined =>
  target ? { name: target.route, params: target.params, search: {} } : undefined

/** Marks notifications about the open screen as read, and shows others that have arrived since the last read. */
function useArrivals(items: readonly Notification[] | undefined, markRead: (ids: number[]) => void) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const newest = useRef<number>(undefined)
  const marked = useRef(new Set<number>())
  useEffect(() => {
    if (!items) return
    const isHere = (one: Notification) => {
      const target = screenOf(one)
      return target !== undefined && hrefOf(target) === path
    }
    const before = newest.current
    newest.current = Math.max(before ?? 0, ...items.map(({ id }) => id))
    const unread = items.filter((one) => !one.read)
    const here = unread.filter((one) => isHere(one) && !marked.current.has(one.id)).map(({ id }) => id)
    if (here.length > 0) {
      for (const id of here) marked.current.add(id)
      markRead(here)
    }
    if (before === undefined) return
    for (const one of unread.toReversed())
      if (one.id > before && one.kind !== 'error' && !isHere(one)) notify(one.tone, one.text)
  }, [items, path, markRead])
}

/** The user's notifications of finished and failed work, on every device, until they are read. */
export function Bell() {
  const user = useUser()
  const [open, setOpen] = useState(false)
  const [looked, setLooked] = useState(false)
  const [size, setSize] = useState(pageSize)
  const query = useRead(notifications.list, { query: { pageSize: size } })
  const { mutate } = useWrite(notifications.markRead, { quiet: true })
  const [markRead] = useState(() => (ids?: number[]) => mutate({ body: ids ? { ids } : {} }))
  useArrivals(query.data?.items, markRead)
  const unread = query.data?.unread ?? 0
  const decisions = useDecisions().data?.totalSize ?? 0
  useEffect(() => {
    waiting.set(decisions)
    return () => waiting.set(0)
  }, [decisions])
  const button = useRef<HTMLButtonElement>(null)
  /** The bell closes before the list opens a dialog, from which the focus returns to the bell. */
  const leave = () => {
    button.current?.focus()
    setOpen(false)
  }
  const total = query.data?.totalSize ?? 0
  return (
    <>
      <Popover
        trigger="click"
        placement="bottomRight"
        arrow={false}
        // On a narrow screen it does not fit below the end of the button.
        align={{ overflow: { shiftX: 8, adjustY: true } }}
        open={open}
        onOpenChange={(next) => {
          setOpen(next)
          if (next) setLooked(true)
        }}
        // Rendered beside the button, so that Tab leads from one to the other.
        getPopupContainer={(button) => button.parentElement ?? document.body}
        content={
          <div className={styles.bell}>
            {looked && <DecisionListLater onLeave={leave} />}
            <div className={styles.told}>
              <div className={styles.head}>
                <h2>{t('notifications-title')}</h2>
                {unread > 0 && user.viewAs === null && (
                  <Button quiet small onClick={() => markRead()}>
                    {t('notifications-read-all')}
                  </Button>
                )}
              </div>
              {query.isPending && <Skeleton rows={3} />}
              {query.isError && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
              {query.data && total === 0 && (
                <p className={styles.none}>
                  {t('notifications-none')}
                  <span>{t('notifications-none-memo')}</span>
                </p>
              )}
              {total > 0 && (
                <ul tabIndex={0} aria-label={t('notifications-title')}>
                  {query.data?.items.map((one) => (
                    <Item key={one.id} one={one} onRead={markRead} onGo={() => setOpen(false)} />
                  ))}
                  {total > size && size < keptNotifications && (
                    <li>
                      <Button quiet small onClick={() => setSize(size + pageSize * 2)}>
                        {t('notifications-older')}
                      </Button>
                    </li>
                  )}
                </ul>
              )}
            </div>
          </div>
        }
      >
        <button
          ref={button}
          type="button"
          className={`g-bare ${styles.button}`}
          aria-expanded={open}
          aria-label={nameOf(unread, decisions)}
        >
          <Icon name="bell" />
          {/* decorative: both numbers have texts, so their sum is not read out */}
          {unread + decisions > 0 && <span className={`${styles.dot} g-num`} data-count={few(unread + decisions)} />}
        </button>
      </Popover>
    </>
  )
}

const nameOf = (unread: number, decisions: number): string => {
  const bell = unread > 0 ? t('notifications-bell', { count: few(unread) }) : t('notifications-bell-none')
  return decisions > 0 ? t('decisions-bell', { bell, count: decisions }) : bell
}

/** The number in the badge. */
const few = (unread: number): string => (unread > 9 ? '9+' : String(unread))

interface ItemProps {
  one: Notification
  onRead: (ids: number[]) => void
  onGo: () => void
}

function Item({ one, onRead, onGo }: ItemProps) {
  const teamId = useSigned()?.teamId
  const viewing = useUser().viewAs !== null
  const target = screenOf(one)
  const read = () => {
    if (!one.read && !viewing) onRead([one.id])
  }
  return (
    <li className={`g-tone-${one.tone} ${one.read ? '' : styles.unread}`}>
      <Icon name={toneIcons[one.tone]} />
      <div>
        <p>
          {!one.read && <span className="g-hidden">{t('notifications-unread')}: </span>}
          {target ? (
            <GoTo
              to={target}
              onClick={() => {
                read()
                onGo()
              }}
            >
              {one.text}
            </GoTo>
          ) : (
            one.text
          )}
        </p>
        <span className={styles.when}>
          <Time at={one.createdAt} />
          {one.teamId !== null && one.teamId !== teamId && (
            <span> · {t('notifications-in-team', { team: one.teamName })}</span>
          )}
        </span>
      </div>
      {!target && (
        <button type="button" className="g-bare" aria-label={t('ui-copy')} onClick={() => void copyText(one.text)}>
          <Icon name="copy" size={14} />
        </button>
      )}
      {!one.read && !viewing && (
        <button
          type="button"
          className="g-bare"
          aria-label={t('notifications-read-one')}
          title={t('notifications-read-one')}
          onClick={read}
        >
          <Icon name="check" size={14} />
        </button>
      )}
    </li>
  )
}
