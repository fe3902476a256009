import type { AppRoute } from '../src/ui/route.ts'
import { openApp } from './app.tsx'

/** A console with a few plain screens, for tests of the shell around them. */
export const screenOf = (name: string, path: `/${string}`, text: string, more: Partial<AppRoute> = {}): AppRoute => ({
  name,
  path,
  page: () => Promise.resolve(() => <p>{text}</p>),
  ...more,
})
const routes: readonly AppRoute[] = [
  screenOf('login', '/login', 'the login', { access: 'public' }),
  screenOf('register', '/register', 'the registration', { access: 'public' }),
  screenOf('home', '/', 'the root'),
  screenOf('new-dashboard', '/teams/$team_id/dashboard', 'the dashboard'),
  screenOf('info-basic', '/info/basic', 'the profile'),
  screenOf('pipeline-v1-list', '/teams/$team_id/cd', 'the pipelines'),
  screenOf('cd-create', '/teams/$team_id/cd/create', 'a new pipeline', { under: 'pipeline-v1-list' }),
  screenOf('sys-users', '/sysconfig/users', 'the users', { access: 'admin' }),
  screenOf('team-members', '/administration-team/$team_id/members', 'the members', {
    shortcut: '/administration-team/$team_id',
  }),
]
export const open = (path: string) => openApp(path, routes)
