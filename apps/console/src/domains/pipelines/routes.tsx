import type { AppRoute } from '../../ui/route.ts'

const team = '/teams/$team_id/cd'
const one = `${team}/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id` as const
const build = `${one}/history/$build_number` as const
const under = 'pipeline-v1-list'

export const routes: readonly AppRoute[] = [
  {
    name: 'pipeline-v1-list',
    path: team,
    needs: 'pipeline_pipeline_view',
    page: () => import('./pipelines/pipeline-list-page.tsx').then((m) => m.PipelineListPage),
  },
  {
    name: 'cd-create',
    path: `${team}/create`,
    under,
    needs: 'pipeline_pipeline_create',
    page: () => import('./pipelines/create-pipeline-page.tsx').then((m) => m.CreatePipelinePage),
  },
  {
    name: 'cd-clone',
    path: `${team}/clone`,
    under,
    needs: ['pipeline_pipeline_create', 'pipeline_pipeline_edit'],
    page: () => import('./pipelines/clone-page.tsx').then((m) => m.ClonePage),
  },
  {
    name: 'cd-batch-edit',
    path: `${team}/batch-edit`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_pipeline_edit'],
    page: () => import('./batches/batch-edit-page.tsx').then((m) => m.BatchEditPage),
  },
  {
    name: 'cd-batch-history',
    path: `${team}/batch-edit/history-list`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./batches/batch-history-page.tsx').then((m) => m.BatchHistoryPage),
  },
  {
    name: 'sys-cd-project',
    path: '/sysconfig/continuous-delivery/project',
    access: 'admin',
    page: () => import('./groups/all-groups-page.tsx').then((m) => m.AllGroupsPage),
  },
  {
    name: 'cd-groups',
    path: `${team}/pipeline-groups`,
    under,
    needs: 'pipeline_group_view',
    page: () => import('./groups/group-list-page.tsx').then((m) => m.GroupListPage),
  },
  {
    name: 'cd-credentials',
    path: `${team}/credentials`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./credentials/credential-list-page.tsx').then((m) => m.CredentialListPage),
  },
  {
    name: 'cd-notification-rules',
    path: `${team}/notification-rules`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./notices/rule-list-page.tsx').then((m) => m.RuleListPage),
  },
  {
    name: 'cd-builds',
    path: `${team}/builds`,
    under,
    needs: 'pipeline_build_view',
    page: () => import('./builds/team-build-list-page.tsx').then((m) => m.TeamBuildListPage),
  },
  {
    name: 'cd-history',
    path: `${one}/history`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./builds/build-list-page.tsx').then((m) => m.BuildListPage),
  },
  {
    name: 'cd-build-info',
    path: `${build}/info`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./builds/build-page.tsx').then((m) => m.BuildPage),
  },
  {
    name: 'cd-build-artifacts',
    path: `${build}/artifacts`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./uploads/artifact-list-page.tsx').then((m) => m.ArtifactListPage),
  },
  {
    name: 'cd-docker-image',
    path: `${one}/docker-image`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./images/image-list-page.tsx').then((m) => m.ImageListPage),
  },
  {
    name: 'cd-report',
    path: `${one}/report-index`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./reports/report-page.tsx').then((m) => m.ReportPage),
  },
  {
    name: 'cd-examine',
    path: `${one}/examine-history`,
    under,
    needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
    page: () => import('./reviews/examine-page.tsx').then((m) => m.ExaminePage),
  },
  {
    name: 'cd-orchestration',
    path: `${one}/orch-pipeline`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./definition/definition-page.tsx').then((m) => m.DefinitionPage),
  },
  {
    name: 'cd-setting',
    path: `${one}/setting`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./pipelines/setting-page.tsx').then((m) => m.SettingPage),
  },
  {
    name: 'cd-versions',
    path: `${one}/versions`,
    under,
    needs: 'pipeline_pipeline_view',
    page: () => import('./versions/version-list-page.tsx').then((m) => m.VersionListPage),
  },
]
