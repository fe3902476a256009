import type { Request } from 'playwright-core'
import type { Check } from '../visit.ts'

const callOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url())
  return `${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim()
}

/** No call is made again for one page unless the server has pushed something since. */
export const check: Check = ({ requests, pushes }) => {
  const last = new Map<string, number | undefined>()
  return requests
    .filter((request) => ['fetch', 'xhr'].includes(request.resourceType()) && request.failure() === null)
    .flatMap((request) => {
      const call = callOf(request)
      const isAgain = last.has(call) && last.get(call) === pushes.get(request)
      last.set(call, pushes.get(request))
      return isAgain ? [`${call} is made again`] : []
    })
}
