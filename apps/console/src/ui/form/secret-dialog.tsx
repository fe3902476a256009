import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { Copyable } from '../copyable.tsx'
import { Dialog } from '../feedback/dialog.tsx'

interface SecretDialogProps {
  title: string
  /** Instructions, and that the secret is not shown again. */
  text: string
  secret: string
  onClose: () => void
}

/** Shows a secret once: only the button closes the dialog; Escape or a click outside would lose it. */
export const SecretDialog = ({ title, text, secret, onClose }: SecretDialogProps) => (
  <Dialog
    title={title}
    closes="button"
    buttons={
      <>
        <Button primary onClick={onClose}>
          {t('ui-secret-kept')}
        </Button>
      </>
    }
  >
    <p className="g-dialog-text">{text}</p>
    <p className="g-note">
      <Copyable text={secret} />
    </p>
  </Dialog>
)
