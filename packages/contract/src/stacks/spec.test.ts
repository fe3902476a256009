import { describe, expect, test } from 'vitest'
import { ServiceSpec } from './spec.ts'

/** The problems, as `path: message`. */
const problems = (given: object): string[] =>
  (ServiceSpec.safeParse({ image: 'x', ...given }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )
const data = { name: 'data', path: '/data', type: 'claim', size: '1Gi' }
const side = { name: 'proxy', role: 'side', image: 'y' }

test('a document of an earlier version is still valid, and nothing is added to it', () => {
  const earlier = {
    image: 'nginx:1.29',
    registryId: null,
    command: [],
    arguments: [],
    replicas: 2,
    ports: [{ port: 80, protocol: 'TCP' }],
    environment: [],
    resources: { cpu: '0.5', memory: '256Mi', cpuRequest: '0.05', memoryRequest: '32Mi' },
    readiness: { type: 'none' },
  }
  expect(ServiceSpec.parse(earlier)).toEqual(earlier)
})

describe('reports a problem at its field', () => {
  test.each<[object, string]>([
    [{ lifecycle: { afterStart: { type: 'http', port: 65_535 } } }, 'lifecycle.afterStart.port: lifecycle-port-range'],
    [{ liveness: { type: 'command', command: [] } }, 'liveness.command: command-required'],
    [{ files: [{ path: '/' }] }, 'files.0.path: mount-path-format'],
    [{ files: [{ path: '/etc/../passwd' }] }, 'files.0.path: mount-path-format'],
    [{ volumes: [data], files: [{ path: '/data' }] }, 'files.0.path: mount-paths-unique'],
    [{ volumes: [data, { ...data, name: 'more' }] }, 'volumes.1.path: mount-paths-unique'],
    [{ volumes: [data, { ...data, path: '/more' }] }, 'volumes.1.name: volume-names-unique'],
    [{ volumes: [{ ...data, name: 'Data' }] }, 'volumes.0.name: volume-name-format'],
    [{ volumes: [{ ...data, name: 'gantry-config' }] }, 'volumes.0.name: volume-name-reserved'],
    [
      { volumes: [{ name: 'a', path: '/a', type: 'existing', claim: 'gantry-host-0123456789ab' }] },
      'volumes.0.claim: claim-of-host-folder',
    ],
    [{ volumes: [{ ...data, path: '/' }] }, 'volumes.0.path: mount-path-format'],
    [{ volumes: [{ ...data, size: '0Gi' }] }, 'volumes.0.size: storage-positive'],
    [{ containers: [side, side] }, 'containers.1.name: container-names-unique'],
    [
      { containers: [{ ...side, mounts: [{ volume: 'data', path: '/x' }] }] },
      'containers.0.mounts.0.volume: volume-unknown',
    ],
    [{ labels: [{ key: 'app' }] }, 'labels.0.key: label-reserved'],
    [{ labels: [{ key: 'io.wise2c.stack' }] }, 'labels.0.key: label-reserved'],
    [{ labels: [{ key: 'gantry.dev/team' }] }, 'labels.0.key: label-reserved'],
    [{ labels: [{ key: 'a'.repeat(64) }] }, 'labels.0.key: label-key'],
    [{ labels: [{ key: 'tier' }, { key: 'tier' }] }, 'labels: labels-unique'],
    [{ placement: { hosts: [{ key: 'kubernetes.io/hostname' }] } }, 'placement.hosts.0.key: host-key-reserved'],
    [
      { placement: { tolerations: [{ key: 'gantry.dev/dedicated' }] } },
      'placement.tolerations.0.key: toleration-guarded',
    ],
    [{ dns: { servers: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] } }, 'dns.servers: dns-servers-count'],
    [{ dns: { searches: ['a', 'b', 'c', 'd'] } }, 'dns.searches: dns-searches-count'],
    [{ gpu: 0 }, 'gpu: gpu-positive'],
    [{ workload: 'cronjob' }, 'schedule.cron: schedule-required'],
    [{ workload: 'cronjob', schedule: { cron: 'daily' } }, 'schedule.cron: cron-five-fields'],
    [{ schedule: { cron: '0 3 * * *' } }, 'schedule: schedule-only-cronjob'],
    [{ job: {} }, 'job: job-only-jobs'],
    [{ workload: 'statefulset', rollout: { type: 'recreate' } }, 'rollout: rollout-only-deployment'],
    [{ replicas: 2, rollout: { type: 'healthy', healthy: 2 } }, 'rollout.healthy: rollout-healthy-below-instances'],
    [{ rollout: { type: 'rolling', surge: 0, unavailable: '0%' } }, 'rollout.surge: rollout-stands-still'],
    [
      { files: ['/a', '/b', '/c', '/d'].map((path) => ({ path, content: '漢'.repeat(90_000) })) },
      'files: files-too-large',
    ],
  ])('%j', (given, expected) => {
    expect(problems(given)).toEqual([expected])
  })
})
