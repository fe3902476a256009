import { harborProjects } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { afterAll } from 'vitest'
import { createHarbor, type Harbor } from '../src/adapters/harbor/harbor.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import type { Ports } from '../src/adapters/ports.ts'
import { unsettledPulls } from '../src/domains/harbor/pulls/pulling.ts'
import { reconcilePull } from '../src/domains/harbor/pulls/settle.service.ts'
import { reconciler } from '../src/kernel/reconcile.ts'
import { simulatedHarbor } from './simulated-harbor.ts'
import { testApp } from './test-app.ts'

/** The server with a simulated Harbor, joined as `harbor`; `port` replaces calls. Stopped at the end of the file. */
export async function harborApp(ports: Partial<Ports> = {}) {
  const simulated = await simulatedHarbor()
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const port: Harbor = createHarbor(outbound)
  afterAll(async () => {
    await outbound.close()
    await simulated.stop()
  })
  const app = await testApp({ ports: { harbor: port, ...ports } })
  let made = 0
  const body = (more: object = {}) => ({ name: `harbor-${++made}`, ...simulated.access, ...more })
  const join = (more: object = {}) => app.admin.call(harbors.create, { body: body(more) })
  const harbor = await join()
  const create = (name = `project-${++made}`, id = harbor.id) =>
    app.admin.call(harborProjects.create, { params: { id }, body: { name } })
  const assign = (projectId: number, teams: number[], id = harbor.id) =>
    app.admin.call(harborProjects.assign, { params: { id }, body: { projectId, teams } })

  /** Runs rounds until every pull right is settled, or remains refused. */
  async function settle(): Promise<void> {
    const rounds = reconciler(unsettledPulls, reconcilePull)
    await app.db.updateTable('harbor_pull').set({ settle_until: null }).execute()
    await Promise.all((await rounds.begin(app.ctx())).map(({ ended }) => ended))
  }

  /** Whether a robot may pull: the status of reading a tag. */
  const pulls = async (username: string, password: string, repository: string, tag: string): Promise<number> => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const headers = { authorization, accept: 'application/vnd.oci.image.manifest.v1+json' }
    return (await fetch(`${simulated.url}/v2/${repository}/manifests/${tag}`, { headers })).status
  }
  return { app, simulated, port, outbound, harbor, body, join, create, assign, settle, pulls }
}
