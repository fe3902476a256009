import type { Check } from '../visit.ts'
import { callOf } from './doubled-calls.ts'

/**
 * Enough for a page of six parts with two figures each, such as a pipeline's report, and the pending decisions of every
 * page: more calls mean that one call is missing.
 */
const maxCalls = 13
/** Code is split into many small files, most of which a browser has cached after its first screen. */
const maxRequests = 80

/** A screen makes few calls at once. Reads that are repeated because of an event, or of missed ones, count once. */
export const check: Check = ({ requests }) => {
  const calls = requests.filter((request) => ['fetch', 'xhr'].includes(request.resourceType()))
  const different = new Set(calls.map(callOf)).size
  const others = requests.length - calls.length
  return [
    ...(different > maxCalls ? [`makes ${different} calls`] : []),
    ...(others + different > maxRequests ? [`makes ${others + different} requests`] : []),
  ]
}
