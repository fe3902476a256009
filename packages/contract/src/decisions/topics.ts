import { z } from 'zod'
import { topic } from '../topic.ts'

/**
 * What waits for a decision in a team has changed; `all`: what waits for administrators. Whoever publishes it also mails
 * those who decide, so that it is no hint.
 */
export const decisionsTopic = topic({
  path: 'decisions/:scope',
  access: { scope: 'scope', all: 'admin', team: [{ team: 'scope' }] },
  content: z.object({ changed: z.literal('decisions') }),
})
