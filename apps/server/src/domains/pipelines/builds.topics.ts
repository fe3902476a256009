import type { Topic } from '../../http/push.ts'

export const topics: Topic[] = [
  { pattern: 'builds/:teamId', access: { team: 'teamId', permission: 'pipeline_pipeline_view' } },
  {
    pattern: 'build/:pipelineId/:number',
    access: { owner: 'pipeline', by: 'pipelineId', permission: 'pipeline_build_view' },
  },
]
