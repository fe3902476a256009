import { Popover } from 'antd'
import { t } from '../../api/language.ts'
import { forget, markRead, notices } from '../../api/notices.ts'
import { useStore } from '../../api/store.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copyable.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { toneIcons } from '../../ui/feedback/toasts.tsx'
import styles from './top-bar.module.css'

/** All messages since the page was loaded, to read again and to copy. */
export function Bell() {
  const list = useStore(notices)
  const unread = list.filter((notice) => !notice.read).length
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      onOpenChange={(open) => {
        if (!open) markRead()
      }}
      content={
        <div className={styles.bell}>
          <header>
            <h2>{t('ui-notices')}</h2>
            {list.length > 0 && (
              <Button quiet small onClick={forget}>
                {t('shell-notices-clear')}
              </Button>
            )}
          </header>
          {list.length === 0 && <p className="g-faint">{t('shell-notices-none')}</p>}
          <ul>
            {list.map((notice) => (
              <li key={notice.id} className={`g-tone-${notice.tone}`}>
                <Icon name={toneIcons[notice.tone]} />
                <div>
                  {notice.title && <strong>{notice.title}</strong>}
                  <p>{notice.text}</p>
                  <Time at={notice.at} />
                </div>
                <button
                  type="button"
                  className="g-bare"
                  aria-label={t('ui-copy')}
                  onClick={() => void copyText(notice.text)}
                >
                  <Icon name="copy" size={14} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      }
    >
      <button type="button" className="g-bare" aria-label={t('shell-bell', { count: unread })}>
        <Icon name="bell" />
        {unread > 0 && <span className={`${styles.dot} g-num`}>{unread > 9 ? '9+' : unread}</span>}
      </button>
    </Popover>
  )
}
