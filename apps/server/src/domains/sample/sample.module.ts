import { sampleRepository } from '@gantry/contract/sample/repository'
import { sample } from '@gantry/contract/sample/sample'
import { z } from 'zod'
import { stream, type StreamReply } from '../../http/reply.ts'
import type { Ctx } from '../../kernel/context.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import { defineModule } from '../../module.ts'
import type { Start } from '../../http/server.ts'
import { readAnswer, readSample } from './read-sample.ts'
import { finishRemoval, removeSample } from './removal.service.ts'
import { readRepositoryFile } from './repository.service.ts'
import { changeSample, createSample } from './sample.service.ts'
import { samplesBeingRemoved } from './sample.store.ts'

const removeSampleJob = job({
  name: 'sample-remove',
  schema: z.object({ teamId: z.number().int() }),
  run: (ctx, { teamId }) => finishRemoval(ctx, teamId),
  // a build with a lost agent ends after a minute; an unreachable cluster may need longer
  retry: { limit: 10, delaySeconds: 10 },
  concurrency: 4,
})

/** Continues removals that a stopped server left unfinished, without waiting until their jobs expire. */
export const start: Start = {
  order: 90,
  async run(ctx) {
    for (const teamId of await samplesBeingRemoved(ctx.db)) await enqueue(ctx, removeSampleJob, { teamId })
  },
}

async function served(ctx: Ctx, teamId: number, file: string, authorization: string | undefined): Promise<StreamReply> {
  const { size, body } = await readRepositoryFile(ctx, teamId, file, authorization)
  return stream(body, { 'content-length': String(size), 'cache-control': 'no-cache' })
}

export const module = defineModule({
  routes(route) {
    route(sample.get, (ctx, { params }) => readSample(ctx, params.teamId))
    route(sample.answer, (ctx, { params }) => readAnswer(ctx, params.teamId))
    route(sample.create, (ctx, { params }) => createSample(ctx, params.teamId))
    route(sample.change, (ctx, { params }) => changeSample(ctx, params.teamId))
    route(sample.remove, (ctx, { params: { teamId } }) =>
      removeSample(ctx, teamId, (ctx) => enqueue(ctx, removeSampleJob, { teamId })),
    )

    route(sampleRepository.head, (ctx, { params, header }) =>
      served(ctx, params.teamId, 'HEAD', header('authorization')),
    )
    route(sampleRepository.refs, (ctx, { params, header }) =>
      served(ctx, params.teamId, 'info/refs', header('authorization')),
    )
    route(sampleRepository.object, (ctx, { params, header }) =>
      served(ctx, params.teamId, `objects/${params.folder}/${params.name}`, header('authorization')),
    )
  },
  jobs: [removeSampleJob],
  onStart: start,
})
