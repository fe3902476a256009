import type { Topic } from '../../http/push.ts'
import { followEvents } from './events.watch.ts'
import { scopedTopics } from './follow.ts'
import { followPods } from './pods.watch.ts'

/** Changes in clusters are told from each replica's own memory: they are many, and none of them is ours to keep. */
export const topics: Topic[] = [
  ...scopedTopics('pods', 'resource_pod_view', followPods),
  ...scopedTopics('events', 'resource_event_view', followEvents),
]
