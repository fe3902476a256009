import type { Topic } from '../../http/push.ts'
import { ofTeam } from './follow.ts'
import { followVolumes } from './volumes.watch.ts'

/** From memory, as pods. */
export const topics: Topic[] = [
  {
    pattern: 'volumes/:env/all',
    access: 'admin',
    source: (ctx, { env = '' }, tell) => followVolumes(ctx, env, undefined, tell),
  },
  {
    pattern: 'volumes/:env/:teamId',
    access: ofTeam('resource_storage_view'),
    source: (ctx, { env = '', teamId }, tell) => followVolumes(ctx, env, Number(teamId), tell),
  },
]
