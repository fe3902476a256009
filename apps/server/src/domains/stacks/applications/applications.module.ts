import { applications } from '@gantry/contract/stacks/applications'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { applicationsOf, teamServices } from './applications.service.ts'

interface Narrowed {
  params: { envId: string }
  query: { search?: string | undefined; keyword?: string | undefined; productId?: number | undefined }
}

const filterOf = ({ params, query }: Narrowed) => ({
  keyword: query.search ?? query.keyword ?? '',
  ...(params.envId === 'all' ? {} : { environment: params.envId }),
  ...(query.productId === undefined ? {} : { productId: query.productId }),
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
