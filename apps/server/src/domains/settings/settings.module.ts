import { host } from '@gantry/contract/settings/host'
import { license } from '@gantry/contract/settings/license'
import { mail } from '@gantry/contract/settings/mail'
import { z } from 'zod'
import { job, scheduled } from '../../kernel/jobs/jobs.ts'
import { defineModule } from '../../module.ts'
import { checkUrl, readHost, writeHost } from './host.service.ts'
import { readLicense, readStatus, writeLicense } from './license.service.ts'
import { readMail, sendTest, writeMail } from './mail.service.ts'
import { deliver, deliverDue, readOutbox } from './outbox.service.ts'
import { forgetEnded } from './outbox.store.ts'

export const module = defineModule({
  routes(route) {
    route(mail.get, (ctx) => readMail(ctx))
    route(mail.set, (ctx, { body }) => writeMail(ctx, body))
    route(mail.test, (ctx, { query, body }) => sendTest(ctx, query.mail, body))
    route(mail.outbox, (ctx) => readOutbox(ctx))
    route(host.get, (ctx) => readHost(ctx))
    route(host.set, (ctx, { body }) => writeHost(ctx, body))
    route(host.checkUrl, (ctx, { body }) => checkUrl(ctx, body.url))
    route(license.get, (ctx) => readLicense(ctx))
    route(license.set, (ctx, { body }) => writeLicense(ctx, body.license))
    route(license.status, (ctx) => readStatus(ctx))
  },
  jobs: [
    job({ ...deliver, schema: z.object({}), every: 30, run: deliverDue }),
    scheduled({
      name: 'settings-forget-mail',
      every: 3600,
      run: ({ db }) => forgetEnded(db),
    }),
  ],
})
