import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'team-dockerfiles',
    path: '/teams/$team_id/dockerfile',
    needs: 'pipeline_dockerfile_view',
    page: () => import('./dockerfile-list-page.tsx').then((m) => m.DockerfileListPage),
  },
]
