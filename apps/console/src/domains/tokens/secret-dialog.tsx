import { Modal } from 'antd'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'

export interface Secret {
  alias: string
  token: string
}

/** The secret, shown this once; a click beside the dialog does not lose it. */
export const SecretDialog = ({ secret, onClose }: { secret: Secret; onClose: () => void }) => (
  <Modal
    open
    title={t('tokens-ui-made-title', { alias: secret.alias })}
    mask={{ closable: false }}
    keyboard={false}
    closable={false}
    footer={
      <div className="g-row g-row-end">
        <Button primary onClick={onClose}>
          {t('tokens-ui-kept')}
        </Button>
      </div>
    }
  >
    <p className="g-dialog-text">{t('tokens-ui-made-text')}</p>
    <p className="g-note">
      <Copyable text={secret.token} />
    </p>
  </Modal>
)
