import { applications } from '@gantry/contract/stacks/applications'
import type { z } from 'zod'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { applicationsOf, teamServices } from './applications.service.ts'

interface Narrowed {
  params: { envId: string }
  query: Pick<z.output<(typeof applications.list)['query']>, 'search' | 'keyword' | 'productId' | 'type' | 'osType'>
}

const filterOf = ({ params, query }: Narrowed) => ({
  keyword: query.search ?? query.keyword ?? '',
  ...(params.envId === 'all' ? {} : { environment: params.envId }),
  ...(query.productId === undefined ? {} : { productId: query.productId }),
  ...(query.type === undefined ? {} : { type: query.type }),
  ...(query.osType === undefined ? {} : { osType: query.osType }),
})

export const module = defineModule({
  routes(route) {
    route(applications.list, (ctx, call) => {
      const { state = 'all' } = call.query
      const filter = { ...filterOf(call), ...(state === 'all' ? {} : { state }) }
      return applicationsOf(ctx, call.params.teamId, filter, page(call.query))
    })
    route(applications.services, (ctx, call) => {
      const { state = 'all', sort } = call.query
      return teamServices(ctx, call.params.teamId, { ...filterOf(call), state }, sort, page(call.query))
    })
  },
})
