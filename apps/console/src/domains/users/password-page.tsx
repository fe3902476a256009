import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { forgetSession, useUser } from '../../api/session.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { PasswordForm } from '../auth/public.tsx'

export function PasswordPage() {
  const user = useUser()
  const go = useGo()
  return (
    <Page title={t('route-info-password')} about={t('users-password-memo')} narrow>
      {user.type === 'IDENTITY' ? (
        <PasswordForm
          user={user}
          onDone={() => {
            // The server has ended every session of this user, including this one.
            forgetSession()
            go(to('login'), { replace: true })
            toast.ok(t('users-password-done'))
          }}
        />
      ) : (
        <EmptyState title={t('password-elsewhere', { type: user.type })} />
      )}
    </Page>
  )
}
