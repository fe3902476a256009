import { LoginPolicyForm } from './login-policy-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsSection } from './sessions-section.tsx'

/** Components of the auth domain for other domains. */
export { LoginPolicyForm, PasswordForm, SessionsSection }
