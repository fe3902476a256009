import type { Request } from 'playwright-core'
import type { Check } from '../visit.ts'

/** Identifies a call: equal for a repeated one. */
export const callOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url())
  return `${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim()
}

/** An overloaded server says so, and its calls are repeated. */
const isAnswered = async (request: Request): Promise<boolean> => {
  const status = (await request.response())?.status() ?? 0
  return status > 0 && status < 500 && status !== 429
}

/** For this time an answer counts as fresh in the console (`freshMs`): later parts of a slow page may read again. */
const freshMs = 3_000

const endOf = (request: Request): number => {
  const { startTime, responseEnd } = request.timing()
  return startTime + Math.max(0, responseEnd)
}

/** A page makes no call twice, unless the server has pushed an event since, has not answered, or answered long ago. */
export const check: Check = async ({ requests, pushes }) => {
  const last = new Map<string, Request>()
  const faults: string[] = []
  for (const request of requests) {
    if (!['fetch', 'xhr'].includes(request.resourceType()) || request.failure() !== null) continue
    const call = callOf(request)
    const before = last.get(call)
    last.set(call, request)
    if (!before || pushes.get(before)?.handled !== pushes.get(request)?.received || !(await isAnswered(before)))
      continue
    if (request.timing().startTime - endOf(before) < freshMs) faults.push(`${call} is made again`)
  }
  return faults
}
