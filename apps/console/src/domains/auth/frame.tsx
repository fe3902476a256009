import type { ReactNode } from 'react'
import { language, switchLanguage, t } from '../../api/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { Harbour } from './harbour.tsx'
import styles from './auth.module.css'

/** The frame of a visitor's screens: the form at the left, a picture of a harbour at the right. */
export function VisitorFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <main className={styles.side}>
        <header className={styles.head}>
          <span className={styles.name}>
            <svg width={28} height={28} viewBox="0 0 32 32" fill="none" aria-hidden>
              <rect width="32" height="32" rx="7" fill="var(--g-mark-bg)" />
              <path
                d="M6 10.5h20M9 10.5V26M23 10.5V26M16 10.5V15"
                stroke="var(--g-mark-line)"
                strokeWidth="2.4"
                strokeLinecap="round"
              />
              <rect x="12" y="15" width="8" height="6" rx="1.2" fill="var(--g-mark-load)" />
            </svg>
            {name}
          </span>
          <button type="button" className="g-bare" lang={language === 'en' ? 'zh-CN' : 'en'} onClick={switchLanguage}>
            <Icon name="language" />
            {language === 'en' ? '中文' : 'English'}
          </button>
        </header>
        <div className={styles.form}>{children}</div>
        <footer className={styles.foot}>
          <a href={`/document/?lang=${language}`} target="_blank" rel="noreferrer">
            {t('auth-manual')}
          </a>
        </footer>
      </main>
      <aside className={styles.picture}>
        <Harbour />
        <p>{t('auth-motto')}</p>
      </aside>
    </div>
  )
}
