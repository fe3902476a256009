import type { Check } from '../visit.ts'

/** No call is made twice for one page. */
export const check: Check = ({ requests }) => {
  const calls = requests
    .filter((request) => ['fetch', 'xhr'].includes(request.resourceType()))
    .map((request) => {
      const { pathname, search } = new URL(request.url())
      return `${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim()
    })
  return [...new Set(calls)]
    .map((call) => ({ call, times: calls.filter((other) => other === call).length }))
    .filter(({ times }) => times > 1)
    .map(({ call, times }) => `${call}, ${times} times`)
}
