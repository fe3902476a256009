import type { Request } from 'playwright-core'
import type { Check } from '../visit.ts'

/** What is asked for: the same again is the same call. */
export const callOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url())
  return `${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim()
}

/** A server that is overloaded says so, and is asked again. */
const isAnswered = async (request: Request): Promise<boolean> => {
  const status = (await request.response())?.status() ?? 0
  return status > 0 && status < 500 && status !== 429
}

/** As long an answer counts as fresh in the console (`freshMs`): what a slow page shows later may read again. */
const freshMs = 3_000

const endOf = (request: Request): number => {
  const { startTime, responseEnd } = request.timing()
  return startTime + Math.max(0, responseEnd)
}

/** No call is made again for one page unless the server has pushed something since, has not answered, or long ago. */
export const check: Check = async ({ requests, pushes }) => {
  const last = new Map<string, Request>()
  const faults: string[] = []
  for (const request of requests) {
    if (!['fetch', 'xhr'].includes(request.resourceType()) || request.failure() !== null) continue
    const call = callOf(request)
    const before = last.get(call)
    last.set(call, request)
    if (!before || pushes.get(before) !== pushes.get(request) || !(await isAnswered(before))) continue
    if (request.timing().startTime - endOf(before) < freshMs) faults.push(`${call} is made again`)
  }
  return faults
}
