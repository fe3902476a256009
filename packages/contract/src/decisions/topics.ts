import { z } from 'zod'
import { topic } from '../topic.ts'

/**
 * The pending decisions of a team have changed; `all`: those of administrators. Not a hint, because whoever publishes
 * it also mails the people who decide.
 */
export const decisionsTopic = topic({
  path: 'decisions/:scope',
  access: { scope: 'scope', all: 'admin', team: [{ team: 'scope' }] },
  content: z.object({ changed: z.literal('decisions') }),
})
