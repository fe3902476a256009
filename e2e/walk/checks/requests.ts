import type { Check } from '../visit.ts'
import { callOf } from './doubled-calls.ts'

/**
 * A page of six parts, two figures each, as the report of a pipeline, and what waits for a decision, as everywhere: more
 * calls than that are one call too few.
 */
const mostCalls = 13
/** Code comes in many small files, of which a browser has most after its first screen. */
const mostRequests = 80

/** A screen asks for little at once. What is read again because something happened, or was missed, counts once. */
export const check: Check = ({ requests }) => {
  const calls = requests.filter((request) => ['fetch', 'xhr'].includes(request.resourceType()))
  const different = new Set(calls.map(callOf)).size
  const others = requests.length - calls.length
  return [
    ...(different > mostCalls ? [`makes ${different} calls`] : []),
    ...(others + different > mostRequests ? [`makes ${others + different} requests`] : []),
  ]
}
