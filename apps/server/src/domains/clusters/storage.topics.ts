import type { Topic } from '../../http/push.ts'
import { scopedTopics } from './follow.ts'
import { followVolumes } from './volumes.watch.ts'

export const topics: Topic[] = scopedTopics('volumes', 'resource_storage_view', followVolumes)
