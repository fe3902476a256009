import { backups } from '@gantry/contract/backups/backups'
import { attachment, stream } from '../../http/reply.ts'
import { job } from '../../kernel/jobs/jobs.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { makeBackups } from './backups.queue.ts'
import { createBackup, openFile, readFiles, readSettings, removeBackup, saveSettings } from './backups.service.ts'
import { makeWaiting } from './make.service.ts'

export const module = defineModule({
  routes(route) {
    route(backups.settings, (ctx) => readSettings(ctx))
    route(backups.saveSettings, (ctx, { body }) => saveSettings(ctx, body))
    route(backups.list, (ctx, { query }) => readFiles(ctx, page(query)))
    route(backups.create, (ctx) => createBackup(ctx))
    route(backups.file, async (ctx, { params }) => {
      const { content, name } = await openFile(ctx, params.id)
      return stream(content, { 'content-disposition': attachment(name) })
    })
    route(backups.remove, (ctx, { params }) => removeBackup(ctx, params.id))
  },
  jobs: [job({ ...makeBackups, every: 60, run: makeWaiting })],
})
