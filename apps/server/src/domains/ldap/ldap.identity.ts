import type { IdentityProvider } from '../auth/public.ts'
import { signIn } from './sign-in.service.ts'

export const identity: IdentityProvider = { type: 'LDAP', signIn }
