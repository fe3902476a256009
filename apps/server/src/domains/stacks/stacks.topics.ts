import type { Topic } from '../../http/push.ts'
import { followServiceEvents } from './events.service.ts'

const ofService = { owner: 'service', by: 'id', permission: 'stack_service_view' } as const

export const topics: Topic[] = [
  { pattern: 'stacks/:teamId', access: { team: 'teamId', permission: 'stack_stack_view' } },
  { pattern: 'service/:id', access: ofService },
  {
    pattern: 'service-events/:id',
    access: ofService,
    source: (ctx, { id }, tell) => followServiceEvents(ctx, Number(id), tell),
  },
]
