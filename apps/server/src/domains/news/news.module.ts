import { news } from '@gantry/contract/news/news'
import { defineModule } from '../../module.ts'
import { markNewsRead, noteStart, readNews } from './news.service.ts'

export const module = defineModule({
  routes(route) {
    route(news.get, (ctx) => readNews(ctx))
    route(news.read, (ctx) => markNewsRead(ctx))
  },
  onStart: { order: 0, run: noteStart },
})
