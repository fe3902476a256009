import { hint } from '../topic.ts'

/** What waits for a decision in a team has changed; `all`: what waits for administrators. */
export const decisionsTopic = hint({
  path: 'decisions/:scope',
  access: { scope: 'scope', all: 'admin', team: [{ team: 'scope' }] },
})
