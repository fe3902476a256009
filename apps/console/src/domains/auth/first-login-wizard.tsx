import { useEffect, useState } from 'react'
import { session as calls, type Session } from '@gantry/contract/auth/session'
import { call } from '../../api/call.ts'
import { t } from '../../api/language.ts'
import { signed } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { nonce } from '../../ui/nonce.ts'
import { Theme } from '../../ui/theme/theme.tsx'
import { PasswordForm } from './password-form.tsx'
import styles from './auth.module.css'

interface WizardProps {
  user: Session
  onDone: () => void
}

/**
 * Notice, new password, done; for an initial password, and for an expired one. The token of this login only allows the
 * change, and is never stored.
 */
export const FirstLoginWizard = (p: WizardProps) => (
  <Theme nonce={nonce()}>
    <Wizard {...p} />
  </Theme>
)

/** The button that was pressed no longer exists: the next step gets the focus in its first field, or at its button. */
const enter = (step: HTMLElement | null) => step?.querySelector<HTMLElement>('input, button')?.focus()

function Wizard({ user, onDone }: WizardProps) {
  const [step, setStep] = useState(0)
  useEffect(() => {
    signed.set({ user, teamId: undefined })
    return () => signed.set(undefined)
  }, [user])
  /** Cancelling ends the session; the change itself has already ended it. */
  const close = () => {
    if (step < 2) call(calls.logout).catch(() => undefined)
    onDone()
  }
  return (
    <Dialog
      title={t(user.passwordExpired ? 'auth-expired-title' : 'auth-wizard-title')}
      closes="asked"
      onClose={close}
      width={560}
    >
      <ol className={styles.wizardSteps}>
        {[t('auth-wizard-notice'), t('auth-wizard-change'), t('auth-wizard-done')].map((title, at) => (
          <li key={title} data-done={at < step} aria-current={at === step ? 'step' : false}>
            {title}
          </li>
        ))}
      </ol>
      {step === 0 && (
        <div className={styles.wizardStep}>
          <p className="g-dialog-text">{t(user.passwordExpired ? 'auth-expired-memo' : 'auth-wizard-memo')}</p>
          <div className="g-row g-row-end">
            <Button primary onClick={() => setStep(1)}>
              {t('auth-wizard-next')}
            </Button>
          </div>
        </div>
      )}
      {step === 1 && (
        <div className={styles.wizardStep} ref={enter}>
          <PasswordForm user={user} onDone={() => setStep(2)} />
        </div>
      )}
      {step === 2 && (
        <div className={styles.wizardDone} role="status" ref={enter}>
          <Icon name="check" size={40} />
          <p>{t('auth-wizard-success')}</p>
          <Button primary onClick={close}>
            {t('auth-wizard-again')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
