import type { z } from 'zod'
import { session as calls } from '@gantry/contract/auth/session'
import { queryClient, read } from '../api/queries.ts'
import { store } from '../api/store.ts'

/** The name and options of this installation; defaults until the server has answered. */
export const product = store<z.output<typeof calls.options.data>>({
  productName: 'Gantry',
  version: '',
  registration: false,
  oauth: null,
  notice: '',
  sandbox: false,
})

/** The login needs the same, and reuses this read. */
export const loadProduct = (): Promise<void> =>
  queryClient.fetchQuery(read(calls.options)).then(product.set, () => undefined)

/** The footer's version; without a configured one, the host that answered. */
export const releaseOf = (version: string, host: string): string =>
  version.startsWith('release-') ? version : `release-${host}`
