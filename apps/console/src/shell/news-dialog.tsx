import { news } from '@gantry/contract/news/news'
import { call } from '../api/call.ts'
import { useRead } from '../api/hooks.ts'
import { language, t } from '../api/language.ts'
import { toast } from '../api/notices.ts'
import { forgetNews } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/feedback/dialog.tsx'

/**
 * Shows the news of a version once. The texts come from the server, so that other pages need not load them; after a
 * failed read the dialog appears at the next login.
 */
export function NewsDialog() {
  const { data } = useRead(news.get)
  if (!data?.notes.length) return null
  const close = () => {
    forgetNews()
    call(news.read).catch(toast.error)
  }
  return (
    <Dialog
      title={data.title}
      onClose={close}
      buttons={
        <>
          <a href={`/document/${language}/changes.html`} target="_blank" rel="noreferrer">
            {t('shell-manual')}
          </a>
          <Button primary onClick={close}>
            {t('ui-close')}
          </Button>
        </>
      }
    >
      <ul>
        {data.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Dialog>
  )
}
