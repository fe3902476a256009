import { topic } from '@gantry/contract/topic'
import { z } from 'zod'
import type { Ctx } from '../src/kernel/context.ts'
import { publish } from '../src/kernel/events/events.ts'

/** Publishes any content under a name, like a trigger or another release could. */
export const publishAs = (ctx: Ctx, name: string, content: unknown): Promise<void> =>
  publish(ctx, topic({ path: name, access: 'user', content: z.unknown() }), {}, content)
