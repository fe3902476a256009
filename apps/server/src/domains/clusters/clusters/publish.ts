import { clustersTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Makes pages that show clusters read again. The event names no cluster, because not every reader may know it. */
export const publishClusters = (ctx: Ctx): Promise<void> => publish(ctx, clustersTopic, {})
