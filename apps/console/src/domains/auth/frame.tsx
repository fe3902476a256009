import type { ReactNode } from 'react'
import { language, switchLanguage, t } from '../../api/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { Harbour } from './harbour.tsx'
import './auth.css'

/** The screens of a visitor: the form at the left, the harbour at the right. */
export function VisitorFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="a-frame">
      <main className="a-side">
        <header className="a-head">
          <span className="a-name">
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
        <div className="a-form">{children}</div>
        <footer className="a-foot">
          <a href="/document/" target="_blank" rel="noreferrer">
            {t('auth-manual')}
          </a>
        </footer>
      </main>
      <aside className="a-picture">
        <Harbour />
        <p>{t('auth-motto')}</p>
      </aside>
    </div>
  )
}
