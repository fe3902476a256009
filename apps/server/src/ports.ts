import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { folderBlobs } from './adapters/blobs/folder.ts'
import { s3Blobs } from './adapters/blobs/s3.ts'
import { createForges } from './adapters/forges/forges.ts'
import { createGit } from './adapters/git/git.ts'
import { ownRepositories } from './adapters/git/own.ts'
import { parseKubeconfig } from './adapters/kube/transport/kubeconfig.ts'
import { openKube } from './adapters/kube/transport/pool.ts'
import { createOidc } from './adapters/oidc/oidc.ts'
import { createOpenStack } from './adapters/openstack/openstack.ts'
import { createJira } from './adapters/jira/jira.ts'
import { createTapd } from './adapters/tapd/tapd.ts'
import { createLdap } from './adapters/ldap/ldap.ts'
import { createHarbor } from './adapters/harbor/harbor.ts'
import { createCharts } from './adapters/helm/charts.ts'
import { createHelm } from './adapters/helm/helm.ts'
import { createKafka } from './adapters/kafka/kafka.ts'
import { createOutbound } from './adapters/outbound/outbound.ts'
import { sharpPictures } from './adapters/pictures/pictures.ts'
import type { Ports } from './adapters/ports.ts'
import { createJaeger } from './adapters/jaeger/jaeger.ts'
import { createKiali } from './adapters/kiali/kiali.ts'
import { createPrometheus } from './adapters/prometheus/prometheus.ts'
import { createRegistry } from './adapters/registry/registry.ts'
import { createMail } from './adapters/smtp/smtp.ts'
import { createSonar } from './adapters/sonarqube/sonarqube.ts'
import { type Config, ownOrigin } from './config.ts'

/** The product's own sandbox is exempt from the address rules: only by these exact origins, not by its address. */
function ownOrigins({ sandboxRegistry, sandboxKubeconfig }: Config): string[] {
  const origins = sandboxRegistry === undefined ? [] : [sandboxRegistry.url]
  if (sandboxKubeconfig !== undefined)
    origins.push(new URL(parseKubeconfig(readFileSync(sandboxKubeconfig, 'utf8')).server).origin)
  return origins
}

/** The adapters to the real outside systems. `close` ends their connections. */
export async function buildPorts(config: Config, log: Logger): Promise<{ ports: Ports; close: () => Promise<void> }> {
  const ca = config.caFile === undefined ? undefined : readFileSync(config.caFile, 'utf8')
  const outbound = createOutbound({
    allow: config.outboundAllow,
    proxy: config.outboundProxy,
    ca,
    own: ownOrigins(config),
  })
  const kube = openKube({
    admit: outbound.admit,
    ...(ca === undefined ? {} : { rootCa: [ca] }),
    onFault: (error) => log.error({ err: error }, 'a view of a cluster failed'),
  })
  kube.onHealth((environment, { state, kind, message }) =>
    log[state === 'down' ? 'warn' : 'info']({ environment, kind, reason: message }, `the cluster is ${state}`),
  )
  const registry = createRegistry(outbound)
  const samples = join(config.data, 'samples')
  const s3 = config.s3 && (await s3Blobs({ ...config.s3, ca }))
  return {
    ports: {
      outbound,
      git: createGit({ path: config.path, outbound, localFolder: samples, own: `${ownOrigin(config)}/git/samples/` }),
      forges: createForges(outbound),
      repositories: ownRepositories({ path: config.path, folder: samples }),
      prometheus: createPrometheus(outbound),
      jaeger: createJaeger(outbound),
      kiali: createKiali(outbound),
      registry,
      harbor: createHarbor(outbound),
      charts: createCharts(outbound, registry),
      helm: createHelm({ program: config.helm, path: config.path, folder: join(config.data, 'helm') }),
      blobs: s3 ?? (await folderBlobs({ folder: config.blobs })),
      kube,
      kafka: createKafka(outbound),
      ldap: createLdap(outbound),
      oidc: createOidc(outbound),
      openstack: createOpenStack(outbound),
      mail: createMail(outbound),
      pictures: sharpPictures(),
      sonar: createSonar(outbound),
      jira: createJira(outbound),
      tapd: createTapd(outbound),
    },
    close: async () => {
      await Promise.all([kube.close(), outbound.close(), s3?.close()])
    },
  }
}
