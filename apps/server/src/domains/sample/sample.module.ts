import { sampleRepository } from '@gantry/contract/sample/repository'
import { sample } from '@gantry/contract/sample/sample'
import { stream, type StreamReply } from '../../http/reply.ts'
import type { Ctx } from '../../kernel/context.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { defineModule } from '../../module.ts'
import { readAnswer, readSample } from './read-sample.ts'
import { removeSample } from './removal.service.ts'
import { start } from './removal.start.ts'
import { readRepositoryFile } from './repository.service.ts'
import { jobs, removeSampleJob } from './sample.jobs.ts'
import { changeSample, createSample } from './sample.service.ts'

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
  jobs,
  onStart: start,
})
