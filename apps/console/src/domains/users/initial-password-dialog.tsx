import { Modal } from 'antd'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'

/** A user with the password that is shown this once. */
export interface Initial {
  userName: string
  initialPassword: string
}

/** The initial password, shown this once; a click beside the dialog does not lose it. */
export function InitialPasswordDialog({ user, onClose }: { user: Initial; onClose: () => void }) {
  return (
    <Modal
      open
      title={t('users-ui-made-title', { name: user.userName })}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <div className="g-row g-row-end">
          <Button primary onClick={onClose}>
            {t('ui-close')}
          </Button>
        </div>
      }
    >
      <p className="g-dialog-text">{t('users-ui-made-text')}</p>
      <p className="g-note">
        <Copyable text={user.initialPassword} />
      </p>
    </Modal>
  )
}
