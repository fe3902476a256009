import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { clusters } from '@gantry/contract/clusters/clusters'
import { products } from '@gantry/contract/products/products'
import { applications } from '@gantry/contract/stacks/applications'
import { services } from '@gantry/contract/stacks/services'
import { checkTemplate } from '@gantry/tosca/compile'
import type { Product } from '../e2e/product.ts'
import { figure, ms, repeat, timed } from './figures.ts'

const template = (count: number) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
${Array.from(
  { length: count },
  (_, n) => `    service-${n}:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/service-${n}:1
        resources: { cpu: '0.01', memory: 8Mi, cpuRequest: '0.01', memoryRequest: 8Mi }
        ports: [{ port: 8080 }]
`,
).join('')}`

const pause = (millis: number) => new Promise((later) => setTimeout(later, millis))

/** A blueprint of 60 services in the sandbox: from its text until the last is ready; and the screens of 200. */
export async function benchStacks({ admin }: Product, teamId: number): Promise<void> {
  const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
  const envId = env?.uuid ?? ''
  const { id: applicationId } = await admin.call(products.create, { params: { team: teamId }, body: { name: 'bench' } })
  figure('a template of 60 services, parsed', await repeat(9, () => timed(async () => checkTemplate(template(60)))), ms)
  const deployment = async (stackName: string, count: number) => {
    const body = { applicationId, version: stackName, template: template(count) }
    const { uuid } = await admin.call(blueprints.create, { params: { teamId }, body })
    return { params: { teamId }, body: { blueprintId: uuid, envId, stackName } }
  }
  const asked = await deployment('checked', 60)
  const checks = await repeat(5, () => timed(() => admin.call(releases.deployCheck, asked)))
  figure('a deployment of 60 services, checked', checks, ms)
  const begun = performance.now()
  const deployed = async (stackName: string, count: number) => {
    const { uuid } = await admin.call(releases.deploy, await deployment(stackName, count))
    const params = { teamId, envId, uuid }
    for (;;) {
      const { items } = await admin.call(services.list, { params, query: { pageSize: -1 } })
      if (items.length === count && items.every(({ state }) => state === 'stable')) return
      await pause(100)
    }
  }
  await deployed('sixty', 60)
  figure('60 services, from the text to the last of them ready', [performance.now() - begun], ms)
  await deployed('many', 140)
  const query = { pageSize: 20 }
  const pages = await repeat(21, () => timed(() => admin.call(applications.list, { params: { teamId, envId }, query })))
  figure('the application centre of 200 services', pages, ms)
  const rows = await repeat(21, () =>
    timed(() => admin.call(applications.services, { params: { teamId, envId }, query })),
  )
  figure('a page of 20 of 200 services', rows, ms)
}
