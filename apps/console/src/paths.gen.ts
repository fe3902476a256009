// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.
export const paths = {
  'login': '/login',
  'register': '/register',
  'home': '/',
  'new-dashboard': '/teams/$team_id/dashboard',
  'pipeline-v1-list': '/teams/$team_id/cd',
  'cd-create': '/teams/$team_id/cd/create',
  'cd-groups': '/teams/$team_id/cd/pipeline-groups',
  'cd-history': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/history',
  'cd-build-info': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/history/$build_number/info',
  'cd-build-artifacts': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/history/$build_number/artifacts',
  'cd-docker-image': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/docker-image',
  'cd-orchestration': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/orch-pipeline',
  'cd-setting': '/teams/$team_id/cd/pipeline_group_id/$pipeline_group_id/pipeline_id/$pipeline_id/setting',
  'info-basic': '/info/basic',
  'info-password': '/info/update-password',
} as const
