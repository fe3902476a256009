import type { Topic } from '../../http/push.ts'

export const topics: Topic[] = [
  { pattern: 'stacks/:teamId', access: { team: 'teamId', permission: 'stack_stack_view' } },
  { pattern: 'service/:id', access: { owner: 'service', by: 'id', permission: 'stack_service_view' } },
]
