import { Modal } from 'antd'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { Copyable } from '../copyable.tsx'

interface SecretDialogProps {
  title: string
  /** What to do with it, and that it is not shown again. */
  text: string
  secret: string
  onClose: () => void
}

/**
 * A secret that is shown only now: only the button closes the dialog; Escape or a click outside would lose the secret.
 */
export const SecretDialog = ({ title, text, secret, onClose }: SecretDialogProps) => (
  <Modal
    open
    title={title}
    mask={{ closable: false }}
    keyboard={false}
    closable={false}
    footer={
      <div className="g-row g-row-end">
        <Button primary onClick={onClose}>
          {t('ui-secret-kept')}
        </Button>
      </div>
    }
  >
    <p className="g-dialog-text">{text}</p>
    <p className="g-note">
      <Copyable text={secret} />
    </p>
  </Modal>
)
