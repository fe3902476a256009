import { triggers, reportBytes, TriggerCall } from '@gantry/contract/pipelines/triggers'
import { mustHoldInOneOf } from '../../../identity/access.ts'
import { collect } from '../../../http/body/body.ts'
import { jsonBody, refusePoison } from '../../../http/body/json-body.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { page } from '../../../kernel/paging.ts'
import { sayReason } from '../../../kernel/phrase.ts'
import { defineModule } from '../../../module.ts'
import { triggerBuild } from '../builds/builds.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { slotsAfter } from '../../../kernel/cron.ts'
import { receiveReport } from './receive.service.ts'
import { jobs } from './triggers.jobs.ts'
import {
  changeTrigger,
  createTrigger,
  readEvents,
  readTriggers,
  removeTrigger,
  renewSecret,
  setUpHook,
} from './triggers.service.ts'
import { databaseNow } from '../../../db/clock.ts'

const callBody = jsonBody(TriggerCall)

/** The JSON of a delivery; GitHub can be configured to send it as the field `payload` of a form. */
function reportOf(raw: Buffer): unknown {
  const text = raw.toString('utf8')
  const json = text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text
  try {
    const value: unknown = JSON.parse(json)
    refusePoison(value)
    return value
  } catch (error) {
    throw error instanceof Fault ? error : new Fault('invalid', 'request-not-json')
  }
}

/** Checks a user's call, by an API token or a session, like one whose access names the pipeline and the permission. */
async function mayStart(ctx: Ctx, key: number | string, newlyBuilt: boolean): Promise<void> {
  const { limit } = ctx.actor
  if (newlyBuilt) throw new Fault('forbidden', 'initial-password-first')
  if (limit?.kind === 'view') throw new Fault('forbidden', 'view-as-read-only', { role: limit.roleName })
  const { teamId } = await getPipeline(ctx, key)
  await mustHoldInOneOf(ctx, [teamId], 'pipeline_build_execute')
}

export const module = defineModule({
  routes(route) {
    route(triggers.receive, async (ctx, { params: { uuid }, upload, header, caller }) => {
      if (ctx.actor.kind === 'user') {
        await mayStart(ctx, uuid, caller.newlyBuilt)
        const incoming = {
          stream: upload,
          contentType: 'application/json',
          contentEncoding: undefined,
          contentLength: undefined,
        }
        const started = await triggerBuild(ctx, uuid, { cause: 'api', ...(await callBody.read(incoming)) })
        return { outcome: 'started' as const, ...started, message: '' }
      }
      const raw = await collect(upload, reportBytes)
      const { reason, ...fired } = await receiveReport(ctx, uuid, { header, raw }, () => reportOf(raw))
      return { ...fired, message: sayReason(ctx.lang, reason) }
    })
    route(triggers.list, (ctx, { params }) => readTriggers(ctx, params.id))
    route(triggers.create, (ctx, { params, body }) => createTrigger(ctx, params.id, body))
    route(triggers.update, (ctx, { params, body }) => changeTrigger(ctx, params.id, params.triggerId, body))
    route(triggers.remove, (ctx, { params }) => removeTrigger(ctx, params.id, params.triggerId))
    route(triggers.renewSecret, (ctx, { params }) => renewSecret(ctx, params.id, params.triggerId))
    route(triggers.setHook, (ctx, { params, body }) => setUpHook(ctx, params.id, params.triggerId, body.forge))
    route(triggers.events, (ctx, { params, query }) =>
      readEvents(ctx, params.id, params.triggerId, query.keyword ?? '', page(query)),
    )
    route(triggers.slots, async (ctx, { query }) =>
      slotsAfter(query, await databaseNow(ctx.db), 5).map((slot) => slot.toISOString()),
    )
  },
  jobs,
})
