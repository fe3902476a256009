import { contents } from '@gantry/contract/images/contents'
import { InputNumber } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { Time } from '../../../ui/time.tsx'
import styles from './contents.module.css'
import type { Wanted } from './deletion.ts'

interface Found {
  items: (Wanted & { usedAt: string })[]
  looked: number
  total: number
  ageless: number
}

interface UnusedDialogProps {
  repoId: string
  /** The found tags that the user wants to delete. */
  onFound: (tags: readonly Wanted[]) => void
  onClose: () => void
}

const pageSize = 200

/** Searches all tags of a repository, page by page, for those that nothing has used for a number of days. */
export function UnusedDialog({ repoId, onFound, onClose }: UnusedDialogProps) {
  const [days, setDays] = useState(30)
  const [found, setFound] = useState<Found>()
  const [looking, setLooking] = useState(false)
  const [error, setError] = useState<unknown>()
  const ended = useRef<AbortController>(undefined)
  useEffect(() => () => ended.current?.abort(), [])

  const look = async () => {
    ended.current?.abort()
    const { signal } = (ended.current = new AbortController())
    setLooking(true)
    setError(undefined)
    const all: Found = { items: [], looked: 0, total: 0, ageless: 0 }
    try {
      for (let requestPage = 1; ; requestPage++) {
        const query = { days, requestPage, pageSize }
        const page = await call(contents.unused, { params: { repoId }, query }, signal)
        all.items = [...all.items, ...page.items]
        all.looked += page.looked
        all.ageless += page.ageless
        all.total = page.totalSize
        setFound({ ...all })
        if (page.looked < pageSize) break
      }
    } catch (error) {
      if (!signal.aborted) setError(error)
    }
    if (!signal.aborted) setLooking(false)
  }
  const count = found?.items.length ?? 0
  return (
    <Dialog
      title={t('images-ui-unused')}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{t('ui-cancel')}</Button>
          {found && !looking && count > 0 && (
            <Button primary danger needs={contents.removeTags} onClick={() => onFound(found.items)}>
              {t('images-ui-tags-delete')}
            </Button>
          )}
        </>
      }
    >
      <p className="g-dialog-text">{t('images-ui-unused-about')}</p>
      <div className="g-row">
        <InputNumber
          aria-label={t('images-ui-unused-days')}
          prefix={<span className="g-faint">{t('images-ui-unused-days')}</span>}
          className={styles.days ?? ''}
          min={1}
          max={3650}
          precision={0}
          value={days}
          onChange={(value) => {
            setDays(value ?? 30)
            setFound(undefined)
          }}
        />
        <Button icon="clock" loading={looking} onClick={() => void look()}>
          {t('images-ui-unused-look')}
        </Button>
      </div>
      {error !== undefined && <Failed error={error} retry={() => void look()} />}
      {found && (
        <>
          <p aria-live="polite" className="g-num">
            {t('images-ui-unused-looking', { looked: found.looked, total: found.total, found: count })}
          </p>
          {!looking && count === 0 && <p>{t('images-ui-unused-none')}</p>}
          {found.ageless > 0 && <p className="g-faint">{t('images-ui-unused-ageless', { count: found.ageless })}</p>}
          {count > 0 && (
            <ul className="g-goes" ref={scrollStop}>
              {found.items.map(({ tag, usedAt }) => (
                <li key={tag}>
                  <span className="g-mono">{tag}</span>{' '}
                  <span className="g-faint">
                    · {t('images-ui-unused-at')} <Time at={usedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Dialog>
  )
}
