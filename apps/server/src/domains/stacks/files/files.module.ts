import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { attachment, stream } from '../../../http/reply.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { findTarget } from '../containers/containers.service.ts'
import { listFolder, openDownload, putFile, readText, writeText } from './files.service.ts'
import { type ContainerAccess, placeIn } from './programs.ts'

interface Of {
  params: { teamId: number; envId: string; podId: string; name: string }
  query: { path: string }
}

/** Access to a running container of the team; names the file in the audit log. */
async function placeOf(ctx: Ctx, { params, query }: Of): Promise<ContainerAccess> {
  const target = await findTarget(ctx, params)
  note(ctx, { object: `${target.stack.name}/${target.pod.name}/${target.container}:${query.path}` })
  return placeIn(ctx, target)
}

export const module = defineModule({
  routes(route) {
    route(containerFiles.list, async (ctx, input) => {
      const { entries, cut } = await listFolder(await placeOf(ctx, input), input.query.path)
      const list = paged(
        containing(entries, input.query.keyword, ({ name }) => [name]),
        page(input.query),
      )
      return { ...list, truncated: cut || list.truncated === true }
    })
    route(containerFiles.read, async (ctx, input) => readText(await placeOf(ctx, input), input.query.path))
    route(containerFiles.write, async (ctx, input) =>
      writeText(await placeOf(ctx, input), input.query.path, input.body),
    )
    route(containerFiles.download, async (ctx, input) => {
      const { body, name, size } = await openDownload(await placeOf(ctx, input), input.query.path)
      const given: Record<string, string> =
        size === undefined ? { 'content-type': 'application/x-tar' } : { 'content-length': String(size) }
      return stream(body, { ...given, 'content-disposition': attachment(name) })
    })
    route(containerFiles.upload, async (ctx, input) => ({
      size: await putFile(await placeOf(ctx, input), input.query.path, input.upload, input.query.overwrite === 'true'),
    }))
  },
})
