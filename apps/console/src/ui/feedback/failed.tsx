import { CallError } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { useHolds } from '../../api/session.ts'
import { Button } from '../button.tsx'
import { copyText } from '../copyable.tsx'
import { Icon } from '../icon.tsx'
import { Locked } from './locked.tsx'

/**
 * A view that failed to load: the cause, a button to copy it, and a retry. A view that the user may not read is shown
 * as locked instead. Without a heading, because it occurs at any level.
 */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const holds = useHolds()
  if (error instanceof CallError && error.status === 403)
    return <Locked needs={error.needs.find((name) => !holds(name))} memo={wordsOf(error)} />
  const text = wordsOf(error)
  const detail = error instanceof CallError && error.status > 0 ? `${error.status} ${error.key}: ${text}` : text
  return (
    <div className="g-failed" role="alert">
      <Icon name="error" size={20} />
      <div>
        <b>{t('ui-read-failed')}</b>
        <p>{text}</p>
        <div className="g-row">
          {retry && (
            <Button icon="refresh" onClick={retry}>
              {t('ui-try-again')}
            </Button>
          )}
          <Button quiet icon="copy" onClick={() => void copyText(detail)}>
            {t('ui-copy')}
          </Button>
        </div>
      </div>
    </div>
  )
}
