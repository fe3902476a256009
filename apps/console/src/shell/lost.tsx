import { CallError } from '../api/call.ts'
import { t } from '../api/language.ts'
import { wordsOf } from '../api/notices.ts'
import { Illustration } from '../ui/feedback/illustration.tsx'
import { PlainButton } from '../ui/plain-button.tsx'
import { ways } from './leave.ts'

interface LostProps {
  code: string
  title: string
  text: string
  again?: boolean
}

function Lost({ code, title, text, again }: LostProps) {
  return (
    <div className="g-empty g-lost">
      <Illustration />
      <p className="g-lost-code g-num">{code}</p>
      <h1>{title}</h1>
      <p>{text}</p>
      <div className="g-row">
        {again && <PlainButton onClick={() => location.reload()}>{t('ui-try-again')}</PlainButton>}
        <PlainButton primary onClick={ways.toDashboard}>
          {t('shell-to-dashboard')}
        </PlainButton>
      </div>
    </div>
  )
}

export const NotFound = () => <Lost code="404" title={t('page-not-found')} text={t('shell-not-found-memo')} />
export const ServerError = () => <Lost again code="500" title={t('shell-server-error')} text={t('try-again-later')} />
export const Forbidden = () => <Lost code="403" title={t('request-forbidden')} text={t('shell-admin-only')} />

/** A screen that failed to render, or whose code could not be loaded. */
export const ScreenFailed = ({ error }: { error: unknown }) =>
  error instanceof CallError ? (
    <Lost again code={String(error.status || '…')} title={t('shell-server-error')} text={error.text} />
  ) : (
    <Lost again code="!" title={t('shell-screen-failed')} text={wordsOf(error)} />
  )
