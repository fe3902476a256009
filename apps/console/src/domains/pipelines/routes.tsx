import type { AppRoute } from '../../ui/route.ts'

const team = '/teams/$team_id/cd'
const one = `${team}/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id` as const
const build = `${one}/history/$build_number` as const
const under = 'pipeline-v1-list'

export const routes: readonly AppRoute[] = [
  {
    name: 'pipeline-v1-list',
    path: team,
    page: () => import('./pipeline-list-page.tsx').then((m) => m.PipelineListPage),
  },
  {
    name: 'cd-create',
    path: `${team}/create`,
    under,
    page: () => import('./create-pipeline-page.tsx').then((m) => m.CreatePipelinePage),
  },
  {
    name: 'cd-groups',
    path: `${team}/pipeline-groups`,
    under,
    page: () => import('./group-list-page.tsx').then((m) => m.GroupListPage),
  },
  {
    name: 'cd-history',
    path: `${one}/history`,
    under,
    page: () => import('./build-list-page.tsx').then((m) => m.BuildListPage),
  },
  {
    name: 'cd-build-info',
    path: `${build}/info`,
    under,
    page: () => import('./build-page.tsx').then((m) => m.BuildPage),
  },
  {
    name: 'cd-build-artifacts',
    path: `${build}/artifacts`,
    under,
    page: () => import('./artifact-list-page.tsx').then((m) => m.ArtifactListPage),
  },
  {
    name: 'cd-docker-image',
    path: `${one}/docker-image`,
    under,
    page: () => import('./image-list-page.tsx').then((m) => m.ImageListPage),
  },
  {
    name: 'cd-orchestration',
    path: `${one}/orch-pipeline`,
    under,
    page: () => import('./definition-page.tsx').then((m) => m.DefinitionPage),
  },
  {
    name: 'cd-setting',
    path: `${one}/setting`,
    under,
    page: () => import('./setting-page.tsx').then((m) => m.SettingPage),
  },
]
