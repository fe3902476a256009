import { z } from 'zod'
import { topic } from '../topic.ts'

/** What waits for a decision in a team has changed; `all`: what waits for administrators. */
export const decisionsTopic = topic({
  path: 'decisions/:scope',
  access: { scope: 'scope', all: 'admin', team: [{ team: 'scope' }] },
  content: z.object({ changed: z.literal('decisions') }),
})
