import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { local } from '../../api/storage.ts'
import { saveText } from '../../api/transfer.ts'
import { AnsiLine, plainText } from './ansi.tsx'
import { Button } from '../button.tsx'
import { copyText } from '../copyable.tsx'
import { Failed } from '../feedback/failed.tsx'
import { count } from '../format.ts'
import type { LogFeed } from './log-feed.ts'
import { LogTime } from './log-time.tsx'
import type { LogSearch } from './log-search.ts'
import { LogSearchBar } from './log-search-bar.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { FullScreenButton } from '../pane/full-screen.tsx'
import './log-view.css'

export interface LogPaneProps {
  /** From `usePagedLog` or `useStreamLog`. */
  feed: LogFeed
  /** The name of the file, and the log's label for screen readers. */
  name: string
  /** Downloads the whole log; absent: saves the loaded lines. */
  onDownload?: () => void
  /** Downloads more than this log; `label` names it. */
  wider?: { label: string; onDownload: () => void }
  /** Retries after a failure of the feed. */
  retry?: () => void
  hunt: LogSearch
  /** The label of the search, if it covers more than this log. */
  search?: string
  /** Identifies this log among those searched together. Another one opens at its end, or at the linked line. */
  part: string
  /** The line in the address, or ''. */
  linked: string
  /** Puts a line into the address. */
  link: (line: number) => void
}

const rowHeight = 20
const padding = 6
/** Maximum rows in the layout at a time; a longer log moves this window. */
export const windowLines = 100_000

export function LogPane({ feed, name, onDownload, wider, retry, hunt, search, part, linked, link }: LogPaneProps) {
  const whole = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(linked === '')
  const [wrap, setWrap] = useState(() => local.get<boolean>('log-wrap') ?? false)
  const [times, setTimes] = useState(() => local.get<boolean>('log-times') ?? false)
  const [seen, setSeen] = useState(0)
  // The window's last line, unless it is the log's last: the user went far up.
  const [until, setUntil] = useState<number>()
  const [lastPart, setLastPart] = useState(part)
  if (lastPart !== part) {
    setLastPart(part)
    setFollowing(linked === '')
    setSeen(0)
    setUntil(undefined)
  }

  const end = Math.min(feed.last, until ?? feed.last)
  const start = Math.max(feed.first, end - windowLines + 1)
  const rows = Math.max(0, end - start + 1)
  const above = start - 1

  // oxlint-disable-next-line react/incompatible-library -- without memoizing, which the virtual list does not allow
  const list = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 24,
    paddingStart: padding,
    paddingEnd: padding,
    getItemKey: (at) => start + at,
  })
  const items = list.getVirtualItems()
  const from = start + (items[0]?.index ?? 0)
  const to = start + (items.at(-1)?.index ?? 0)
  useEffect(() => {
    if (rows > 0) feed.want(from, to)
  }, [feed, from, to, rows])

  /** The lines between the edges of the box. */
  const visible = () => {
    const top = box.current?.scrollTop ?? 0
    const inside = items.filter((item) => item.start >= top && item.end <= top + (box.current?.clientHeight ?? 0))
    return { first: start + (inside[0]?.index ?? 0), last: start + (inside.at(-1)?.index ?? -1) }
  }
  const goTo = (line: number) => {
    setFollowing(false)
    const inside = line >= start && line <= end
    if (!inside) setUntil(Math.min(feed.last, line + windowLines / 2))
    // The window's rows must be rendered before they can be scrolled to.
    requestAnimationFrame(() => {
      const first = inside ? start : Math.max(feed.first, Math.min(feed.last, line + windowLines / 2) - windowLines + 1)
      list.scrollToIndex(line - first, { align: 'center' })
    })
  }
  const follow = () => {
    setUntil(undefined)
    setFollowing(true)
  }

  // Stays at the end while following; otherwise new lines are counted.
  const toEnd = useEffectEvent(() => {
    if (!following || rows === 0) return
    setSeen(feed.last)
    list.scrollToIndex(rows - 1, { align: 'end' })
  })
  const height = list.scrollRect?.height
  useEffect(() => toEnd(), [following, feed.last, rows, wrap, height, part])
  const measure = useEffectEvent(() => list.measure())
  useEffect(() => measure(), [part])

  // Goes to the linked line, when the first lines are loaded and when the link changes.
  const arrive = useEffectEvent(() => {
    const line = Number(linked)
    if (line < feed.first || line > feed.last) return
    whole.current?.scrollIntoView({ block: 'nearest' })
    if (!isSeen(line)) goTo(line)
  })
  const isSeen = (line: number): boolean => {
    const { first, last } = visible()
    return !following && line >= first && line <= last
  }
  useEffect(() => {
    if (!feed.loading) arrive()
  }, [feed.loading, linked, part])

  const step = (by: 1 | -1) =>
    void hunt.step(by).then((hit) => {
      if (hit?.part === part && String(hit.line) === linked) goTo(hit.line)
    })
  const fresh = feed.last - seen

  const onScroll = () => {
    const element = box.current
    if (!element) return
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight
    // Only scrolling up by the user pauses; scrolling to the end resumes following.
    if (following && rest > 4 * rowHeight && movedUp.current) setFollowing(false)
    if (!following && rest < 2 && until === undefined && feed.live) setFollowing(true)
  }
  const movedUp = useRef(false)

  const here = (): string => {
    const texts: string[] = []
    for (let n = start; n <= end; n += 1) {
      const line = feed.line(n)
      if (line) texts.push(plainText(line.text))
    }
    return texts.join('\n')
  }
  const keep = (key: 'log-wrap' | 'log-times', value: boolean, set: (value: boolean) => void) => {
    local.set(key, value)
    set(value)
  }

  return (
    <div className="g-log g-full" ref={whole}>
      <div className="g-bar">
        <LogSearchBar hunt={hunt} step={step} label={search ?? t('ui-log-search')} />
        <span className="g-bar-end g-row">
          {/* first, so that other buttons do not move when it appears and disappears */}
          {feed.live && !feed.loading && (
            <Button
              small
              icon={following ? 'pause' : 'play'}
              onClick={() => (following ? setFollowing(false) : follow())}
            >
              {t(following ? 'ui-log-pause' : 'ui-log-follow')}
            </Button>
          )}
          <Button
            quiet
            small
            icon="wrap"
            label={t('ui-log-wrap')}
            pressed={wrap}
            onClick={() => keep('log-wrap', !wrap, setWrap)}
          />
          <Button
            quiet
            small
            icon="clock"
            label={t('ui-log-times')}
            pressed={times}
            onClick={() => keep('log-times', !times, setTimes)}
          />
          <Button
            quiet
            small
            icon="copy"
            label={t('ui-log-copy')}
            onClick={() => void copyText(here()).then((done) => done && toast.ok(t('ui-copied')))}
          />
          <Button
            quiet
            small
            icon="download"
            label={t('ui-log-download')}
            onClick={onDownload ?? (() => saveText(here(), `${name}.log`))}
          />
          {wider && <Button quiet small icon="archive" label={wider.label} onClick={wider.onDownload} />}
          <FullScreenButton whole={whole} focus={() => box.current?.focus({ preventScroll: true })} />
        </span>
      </div>
      {feed.error ? (
        <Failed error={feed.error} {...(retry ? { retry } : {})} />
      ) : feed.loading ? (
        <div className="g-pane g-log-box g-log-empty">
          <Skeleton rows={8} />
        </div>
      ) : rows === 0 ? (
        <p className="g-pane g-log-box g-log-empty g-faint">{t('ui-log-empty')}</p>
      ) : (
        <div key="lines" className="g-log-frame">
          {above > 0 && (
            <p className="g-log-note">
              {t('ui-log-dropped', { count: count(above) })}{' '}
              {start > feed.first && (
                <Button quiet small onClick={() => goTo(Math.max(feed.first, start - windowLines / 2))}>
                  {t('ui-log-earlier')}
                </Button>
              )}
            </p>
          )}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a scroller: it only hears how it is scrolled */}
          <div
            ref={box}
            className={wrap ? 'g-pane g-log-box g-log-wrap' : 'g-pane g-log-box'}
            role="region"
            aria-label={name}
            tabIndex={0}
            onScroll={onScroll}
            onWheel={(event) => {
              movedUp.current = event.deltaY < 0
            }}
            onKeyDown={(event) => {
              movedUp.current = ['ArrowUp', 'PageUp', 'Home'].includes(event.key)
              if (event.key === 'End') follow()
            }}
            onPointerDown={() => {
              movedUp.current = true
            }}
            onTouchMove={() => {
              movedUp.current = true
            }}
          >
            <div className="g-log-rows" style={{ height: list.getTotalSize() }}>
              <div className="g-log-block" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
                {items.map((item) => {
                  const n = start + item.index
                  const line = feed.line(n)
                  const lit = String(n) === linked
                  return (
                    <div
                      key={item.key}
                      ref={wrap ? list.measureElement : null}
                      data-index={item.index}
                      className={lit ? 'g-log-line g-log-lit' : 'g-log-line'}
                    >
                      <button
                        type="button"
                        tabIndex={-1}
                        aria-label={t('ui-log-line', { line: n })}
                        onClick={() => link(n)}
                      >
                        {n}
                      </button>
                      {times && <LogTime at={line?.at} />}
                      <span>{line ? <AnsiLine text={line.text} needle={hunt.text} /> : '…'}</span>
                    </div>
                  )
                })}
              </div>
            </div>
          </div>
          {!following && (feed.live ? fresh > 0 : until !== undefined) && (
            <button type="button" className="g-log-fresh" onClick={follow}>
              {feed.live ? t('ui-log-new-lines', { count: count(fresh) }) : t('ui-log-end')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
