import type { Check } from '../visit.ts'

/** A page of six parts, two figures each, as the report of a pipeline: more calls than that are one call too few. */
const mostCalls = 12
/** Code comes in many small files, of which a browser has most after its first screen. */
const mostRequests = 66

/** A screen asks for little at once. */
export const check: Check = ({ requests }) => {
  const calls = requests.filter((request) => ['fetch', 'xhr'].includes(request.resourceType()))
  return [
    ...(calls.length > mostCalls ? [`makes ${calls.length} calls`] : []),
    ...(requests.length > mostRequests ? [`makes ${requests.length} requests`] : []),
  ]
}
