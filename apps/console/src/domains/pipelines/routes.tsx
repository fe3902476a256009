import type { AppRoute } from '../../ui/route.ts'

const team = '/teams/$team_id/cd'
const one = `${team}/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id` as const
const build = `${one}/history/$build_number` as const
const under = 'pipeline-v1-list'

export const routes: readonly AppRoute[] = [
  {
    name: 'pipeline-v1-list',
    path: team,
    page: () => import('./pipelines/pipeline-list-page.tsx').then((m) => m.PipelineListPage),
  },
  {
    name: 'cd-create',
    path: `${team}/create`,
    under,
    page: () => import('./pipelines/create-pipeline-page.tsx').then((m) => m.CreatePipelinePage),
  },
  {
    name: 'cd-groups',
    path: `${team}/pipeline-groups`,
    under,
    page: () => import('./groups/group-list-page.tsx').then((m) => m.GroupListPage),
  },
  {
    name: 'cd-history',
    path: `${one}/history`,
    under,
    page: () => import('./builds/build-list-page.tsx').then((m) => m.BuildListPage),
  },
  {
    name: 'cd-build-info',
    path: `${build}/info`,
    under,
    page: () => import('./builds/build-page.tsx').then((m) => m.BuildPage),
  },
  {
    name: 'cd-build-artifacts',
    path: `${build}/artifacts`,
    under,
    page: () => import('./uploads/artifact-list-page.tsx').then((m) => m.ArtifactListPage),
  },
  {
    name: 'cd-docker-image',
    path: `${one}/docker-image`,
    under,
    page: () => import('./builds/image-list-page.tsx').then((m) => m.ImageListPage),
  },
  {
    name: 'cd-orchestration',
    path: `${one}/orch-pipeline`,
    under,
    page: () => import('./definition/definition-page.tsx').then((m) => m.DefinitionPage),
  },
  {
    name: 'cd-setting',
    path: `${one}/setting`,
    under,
    page: () => import('./pipelines/setting-page.tsx').then((m) => m.SettingPage),
  },
]
