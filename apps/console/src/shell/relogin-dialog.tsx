import { useSigned } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { later } from '../ui/feedback/later.ts'
import { relogin } from './leave.ts'

const ReloginForm = later(async () => (await import('./relogin-form.tsx')).ReloginForm)

/** Asks for the password when the session ended with unsaved input; the form below stays unchanged. */
export function ReloginDialog() {
  const request = useStore(relogin)
  const now = useSigned()
  return request && now ? <ReloginForm user={now.user} answer={request.answer} /> : null
}
