import { reviews } from '@gantry/contract/pipelines/reviews'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { forksThatWait, reviewsThatWait } from './reviews.decisions.ts'
import { decide, passFork, readReviews } from './reviews.service.ts'

export const module = defineModule({
  routes(route) {
    route(reviews.log, (ctx, { params, query }) =>
      readReviews(ctx, params.id, { state: query.state ?? '', number: query.number }, page(query)),
    )
    route(reviews.decide, (ctx, { params, body }) => decide(ctx, params.id, body))
    route(reviews.passFork, (ctx, { params }) => passFork(ctx, params.id, params.number))
  },
  decisions: [reviewsThatWait, forksThatWait],
})
