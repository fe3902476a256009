import type { AppRoute } from '../../ui/route.ts'

const team = '/administration-team/$team_id'

export const routes: readonly AppRoute[] = [
  {
    name: 'team-members',
    path: `${team}/members`,
    shortcut: team,
    page: () => import('./members/member-list-page.tsx').then((m) => m.MemberListPage),
  },
  {
    name: 'team-roles',
    path: `${team}/roles/roleList`,
    page: () => import('./roles/role-list-page.tsx').then((m) => m.RoleListPage),
  },
  {
    name: 'team-role-edit',
    path: `${team}/roles/roleEdit`,
    under: 'team-roles',
    needs: 'team_role_view',
    page: () => import('./roles/role-page.tsx').then((m) => m.RolePage),
  },
  {
    name: 'sys-roles',
    path: '/sysconfig/roles',
    access: 'admin',
    page: () => import('./roles/system-role-list-page.tsx').then((m) => m.SystemRoleListPage),
  },
  {
    name: 'sys-role-edit',
    path: '/sysconfig/roles/edit',
    access: 'admin',
    under: 'sys-roles',
    page: () => import('./roles/system-role-page.tsx').then((m) => m.SystemRolePage),
  },
  {
    name: 'sys-teams',
    path: '/sysconfig/teams',
    access: 'admin',
    page: () => import('./teams/team-list-page.tsx').then((m) => m.TeamListPage),
  },
  {
    name: 'sys-team-edit',
    path: '/sysconfig/teams/edit',
    access: 'admin',
    under: 'sys-teams',
    page: () => import('./teams/team-edit-page.tsx').then((m) => m.TeamEditPage),
  },
]
