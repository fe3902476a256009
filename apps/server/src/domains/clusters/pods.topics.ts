import type { Topic } from '../../http/push.ts'
import { followEvents } from './events.watch.ts'
import { ofTeam } from './follow.ts'
import { followPods } from './pods.watch.ts'

/** Changes in clusters are told from each replica's own memory: they are many, and none of them is ours to keep. */
export const topics: Topic[] = [
  {
    pattern: 'pods/:env/all',
    access: 'admin',
    source: (ctx, { env = '' }, tell) => followPods(ctx, env, undefined, tell),
  },
  {
    pattern: 'pods/:env/:teamId',
    access: ofTeam('resource_pod_view'),
    source: (ctx, { env = '', teamId }, tell) => followPods(ctx, env, Number(teamId), tell),
  },
  {
    pattern: 'events/:env/all',
    access: 'admin',
    source: (ctx, { env = '' }, tell) => followEvents(ctx, env, undefined, tell),
  },
  {
    pattern: 'events/:env/:teamId',
    access: ofTeam('resource_event_view'),
    source: (ctx, { env = '', teamId }, tell) => followEvents(ctx, env, Number(teamId), tell),
  },
]
