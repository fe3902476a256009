import { LoginPolicyForm } from './login-policy-form.tsx'
import { newPassword } from './new-password.ts'
import { PasswordForm } from './password-form.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** What other domains may show of signing in. */
export { LoginPolicyForm, newPassword, PasswordForm, SessionsSection }
