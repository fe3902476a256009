import { protocol } from '@gantry/contract/agents/protocol'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { caches } from '@gantry/contract/pipelines/caches'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { images } from '@gantry/contract/pipelines/images'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { reports } from '@gantry/contract/pipelines/reports'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { definitionFile } from '@gantry/contract/pipelines/editing/definition-file'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { runOnAgents } from './agents.ts'
import type { Thing } from './pool.ts'
import { claimed, type Place, type Set } from './story.ts'

/** Triggers of builds, decisions that builds wait for, and uses of their results. */
export async function trigger(set: Set, place: Place, made: Thing['values']): Promise<void> {
  await ownTriggers(set, place, made)
  await draft(set, place, made)
  await inFile(set, place, made)
  await imagesOf(set, place, made)
  await decisions(set, place, made)
  await again(set, place, made)
  await runOnAgents(set, place, made)
}

/** A schedule, a webhook, and a build started by an API token. */
async function ownTriggers({ run, roles }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const within: Thing = { side, values: made }
  const id = Number(made.pipeline)
  const schedule = { kind: 'schedule' as const, cron: '0 3 * * *', zone: 'Europe/Berlin' }
  await run.make(leader, triggers.slots, { query: { cron: schedule.cron, zone: schedule.zone } })
  const add = (rule: typeof schedule | { kind: 'webhook'; events: ['push'] }) =>
    run.make(leader, triggers.create, { params: { id }, body: { enabled: false, rule } }, within)
  const [kept, hook, gone] = [
    await add(schedule),
    await add({ kind: 'webhook', events: ['push'] }),
    await add(schedule),
  ]
  const about = ({ id: triggerId }: { id: number }) => ({
    params: { id, triggerId },
    thing: { side, values: { ...made, trigger: triggerId } } satisfies Thing,
  })
  const { params, thing } = about(kept)
  await run.make(leader, triggers.update, { params, body: { enabled: false, rule: schedule } }, thing)
  await run.make(leader, triggers.events, { params }, thing)
  await run.make(leader, triggers.renewSecret, { params: about(hook).params }, about(hook).thing)
  await run.make(leader, triggers.remove, { params: about(gone).params }, about(gone).thing)
  for (const one of [kept, hook]) run.pool.add(about(one).thing)
  const { queueId } = await run.make(
    roles.token,
    triggers.receive,
    { params: { uuid: id }, upload: Buffer.from('{}'), headers: [['content-type', 'application/json']] },
    within,
  )
  await cancel(run, leader, id, queueId)
}

/** A build of stages that are not saved. */
async function draft({ run }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const id = Number(made.pipeline)
  const stages = [{ name: 'only', steps: [{ type: 'script' as const, name: 'make', run: 'true' }] }]
  const { queueId } = await run.make(
    leader,
    versions.runDraft,
    { params: { id }, body: { stages } },
    { side, values: made },
  )
  await cancel(run, leader, id, queueId)
}

/** A pipeline with its stages in a file of its repository, until they are taken over. */
async function inFile({ run, world }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const { team = 0, group = 0 } = made
  const repository = { url: world.outside.gitUrl, branch: 'main' }
  const { id } = await run.make(
    leader,
    definitions.create,
    { body: { appId: Number(group), projectName: run.fresh(side), repository } },
    { side, values: { team, group } },
  )
  const within: Thing = { side, values: { team, group, pipeline: id } }
  const params = { appId: Number(group), pipelineId: id }
  const { revision: _, ...setting } = await run.make(leader, pipelines.setting, { params }, within)
  await run.make(leader, pipelines.setSetting, { params, body: { ...setting, definitionFile: {} } }, within)
  const { commit } = await run.make(leader, definitionFile.read, { params: { id } }, within)
  await run.make(leader, definitionFile.takeOver, { params: { id }, body: { commit } }, within)
}

async function imagesOf({ run }: Set, { side, leader, team }: Place, made: Thing['values']): Promise<void> {
  const within: Thing = { side, values: made }
  const id = Number(made.pipeline)
  const { items } = await run.make(leader, images.versions, { params: { id } }, within)
  const [image] = items
  if (!image) throw new Error('the build made no image')
  const inImage: Thing = { side, values: { ...made, image: image.imageId } }
  await run.make(leader, images.release, { params: { teamId: team }, query: { image: image.version } }, within)
  const { queueId } = await run.make(
    leader,
    builds.triggerForImage,
    { params: { uuid: id }, body: { image: image.version } },
    within,
  )
  await cancel(run, leader, id, queueId)
  await run.make(leader, images.remove, { params: { id, imageId: image.imageId } }, inImage)
}

/** A stage that waits for people, and a trigger with a review. */
async function decisions({ run, roles }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const { team = 0, group = 0 } = made
  const steps = [{ type: 'script' as const, name: 'make', run: 'true' }]
  const { id } = await run.make(
    leader,
    definitions.create,
    {
      body: {
        appId: Number(group),
        projectName: run.fresh(side),
        definition: { stages: [{ name: 'only', mode: 'manual', steps }] },
      },
    },
    { side, values: { team, group } },
  )
  const within: Thing = { side, values: { team, group, pipeline: id } }
  const start = () => run.make(leader, builds.trigger, { params: { id }, body: {} }, within)
  const { number } = await start()
  const inBuild: Thing = { side, values: { ...within.values, build: number, stage: 'only' } }
  const params = { id, number, stage: 'only' }
  await run.make(leader, builds.decide, { params, body: { pass: false } }, inBuild)
  const place = { appId: Number(group), pipelineId: id }
  const setting = await run.make(leader, pipelines.setting, { params: place }, within)
  const review = { count: 1, users: [], roles: [] }
  await run.make(leader, pipelines.setSetting, { params: place, body: { ...setting, review } }, within)
  await start()
  await run.make(roles.member, reviews.decide, { params: { id }, body: { pass: false } }, within)
}

/** A build that hands files on, fails, and is retried. */
async function again({ run, roles }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const { agent } = roles
  const id = Number(made.pipeline)
  const { number } = await run.make(leader, builds.trigger, { params: { id }, body: {} }, { side, values: made })
  const inBuild: Thing = { side, values: { ...made, build: number } }
  const end = async (state: 'failed' | 'success') => {
    const { jobId, attempt } = await claimed(run, agent, (work) => work.pipelineId === id)
    const within: Thing = { side, values: { ...inBuild.values, work: jobId, attempt } }
    await run.make(
      agent,
      protocol.handOn,
      { params: { jobId }, query: { attempt }, upload: Buffer.from('files') },
      within,
    )
    const ofStep = { params: { jobId, step: 0 }, query: { attempt } }
    const cached = { platform: 'linux-x64', key: 'deps' }
    const keeping = { ...ofStep, query: { attempt, ...cached }, upload: Buffer.from('files') }
    await run.make(agent, stepProtocol.keepCache, keeping, within)
    const { entry } = await run.make(
      agent,
      stepProtocol.cache,
      { ...ofStep, body: { ...cached, fallbacks: [] } },
      within,
    )
    const reading = { params: { ...ofStep.params, entry: entry?.id ?? 0 }, query: { attempt } }
    await run.make(agent, stepProtocol.cached, reading, within)
    await run.make(leader, caches.clear, { params: { id } }, { side, values: made })
    await run.make(agent, protocol.handed, { params: { jobId, from: 0 }, query: { attempt } }, within)
    const events = [{ type: 'end' as const, state, logs: [] }]
    await run.make(agent, protocol.events, { params: { jobId }, body: { attempt, first: 1, events } }, within)
  }
  await end('failed')
  await run.make(leader, builds.retry, { params: { id, number }, body: {} }, inBuild)
  await end('success')
  await run.make(leader, reports.abilities, { query: { ids: String(id) } }, { side, values: made })
}

/** Cancels a build that was only started for the call, so that it does not occupy the agent. */
const cancel = async (run: Set['run'], leader: Place['leader'], id: number, queueId: number | null) => {
  if (queueId !== null) await run.ask(leader, builds.cancel, { params: { id, queueId } })
}
