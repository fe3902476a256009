import { LoginPolicyForm } from './login-policy-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** What other domains may show of signing in. */
export { LoginPolicyForm, PasswordForm, SessionsSection }
