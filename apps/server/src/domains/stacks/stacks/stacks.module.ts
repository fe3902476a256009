import { idOrUuid } from '@gantry/contract/ids'
import { stacks } from '@gantry/contract/stacks/stacks'
import { stacksTopic, stackTopic } from '@gantry/contract/stacks/topics'
import { serve } from '../../../http/push/sources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { page, type Page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { watchStack } from '../services/live.watch.ts'
import { stackYaml } from '../services/export.service.ts'
import { issueKubeconfig } from './kubeconfig.service.ts'
import { compareShares } from './shares.service.ts'
import { unsettledStacks } from '../reconcile/reconciling.ts'
import { search } from './stacks.search.ts'
import {
  changeStack,
  createStack,
  getStack,
  getStackByName,
  removeStack,
  setStackQuota,
  shownStack,
  shownStacks,
} from './stacks.service.ts'
import { listStacks, recreateStacks, stackTeam } from './stacks.store.ts'
import { countOfTeam } from '../../../db/list.ts'

const compare = scheduled({
  name: 'stacks-shares',
  every: 120,
  retry: { limit: 0, delaySeconds: 0 },
  run: compareShares,
})

async function readList(ctx: Ctx, teamId: number, filter: Parameters<typeof listStacks>[2], at: Page) {
  const list = await listStacks(ctx.db, teamId, filter, at)
  return { ...list, items: await shownStacks(ctx, list.items) }
}

const onlyOf = ({ envId }: { envId: string }) => (envId === 'all' ? {} : { environment: envId })

/** `queryAll`: everything in one answer, up to the server's cap. */
const paging = <Q extends { queryAll?: 'true' | 'false' | undefined; pageSize: number }>(query: Q) =>
  query.queryAll === 'true' ? { pageSize: -1 } : query

export const module = defineModule({
  routes(route) {
    route(stacks.list, (ctx, { params, query }) =>
      readList(ctx, params.teamId, { keyword: query.search ?? query.keyword ?? '', ...onlyOf(params) }, page(query)),
    )
    route(stacks.all, (ctx, { params, query }) =>
      readList(ctx, params.teamId, { keyword: query.keyword ?? '', ...onlyOf(params) }, page(query)),
    )
    route(stacks.byName, async (ctx, { params }) =>
      shownStack(ctx, await getStackByName(ctx, params.teamId, params.envId, params.name)),
    )
    route(stacks.ofProduct, (ctx, { params, query }) =>
      readList(ctx, params.team, { keyword: query.keyword ?? '', productId: params.productId }, page(paging(query))),
    )
    route(stacks.create, (ctx, { params, body }) => createStack(ctx, params.teamId, body))
    route(stacks.get, async (ctx, { params }) =>
      shownStack(ctx, await getStack(ctx, params.teamId, params.stackId, params.envId)),
    )
    route(stacks.update, (ctx, { params, body }) => changeStack(ctx, params.teamId, params.stackId, body))
    route(stacks.remove, (ctx, { params, query }) =>
      removeStack(ctx, params.teamId, params.envId, params.stackId, {
        forget: query.deleteFore === 'true',
        confirm: query.confirm,
      }),
    )
    route(stacks.setQuota, (ctx, { params, query, body }) => setStackQuota(ctx, { ...params, ...query }, body))
    route(stacks.kubeconfig, (ctx, { params, body }) => issueKubeconfig(ctx, params, body.hours))
    route(stacks.yaml, (ctx, { params }) => stackYaml(ctx, params.id))
  },
  owners: [
    {
      kind: 'stack',
      // the name of a topic may contain anything in place of the id
      teamOf: async (db, text) => {
        const key = idOrUuid.safeParse(text)
        return key.success ? stackTeam(db, key.data) : undefined
      },
    },
  ],
  jobs: [compare],
  topics: [
    serve(stacksTopic),
    serve(stackTopic, (ctx, { stackId }, publish) => watchStack(ctx, Number(stackId), publish)),
  ],
  search: [search],
  onTeamDelete: {
    phrase: 'team-owned-stacks',
    count: countOfTeam('stack'),
  },
  onNewCluster: async (ctx, environment) => {
    await recreateStacks(ctx.db, environment)
    unsettledStacks.wakeAfterCommit(ctx)
  },
})
