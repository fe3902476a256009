import { host } from '@gantry/contract/settings/host'
import { mail } from '@gantry/contract/settings/mail'
import type { Routes } from '../../http/route.ts'
import { checkUrl, readHost, writeHost } from './host.service.ts'
import { readMail, sendTest, writeMail } from './mail.service.ts'
import { readOutbox } from './outbox.service.ts'

export const routes: Routes = (route) => {
  route(mail.get, (ctx) => readMail(ctx))
  route(mail.set, (ctx, { body }) => writeMail(ctx, body))
  route(mail.test, (ctx, { query, body }) => sendTest(ctx, query.mail, body))
  route(mail.outbox, (ctx) => readOutbox(ctx))
  route(host.get, (ctx) => readHost(ctx))
  route(host.set, (ctx, { body }) => writeHost(ctx, body))
  route(host.checkUrl, (ctx, { body }) => checkUrl(ctx, body.url))
}
