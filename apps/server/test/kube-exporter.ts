import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Exported {
  nodes: readonly { name: string; cores: number; memory: number }[]
  pods: readonly { namespace: string; pod: string; container: string; cores: number; memory: number }[]
}

const labelled = (labels: Record<string, string>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`

/** Metrics of node exporter, kubelet and cAdvisor `seconds` after the start. Every node is half busy. */
function nodeFigures(node: Exported['nodes'][number], seconds: number): string[] {
  const line = (name: string, labels: Record<string, string>, value: number) => `${name}${labelled(labels)} ${value}`
  const cpus = Array.from({ length: node.cores }, (_, cpu) => String(cpu))
  return [
    line('node_uname_info', { nodename: node.name, sysname: 'Linux' }, 1),
    ...cpus.flatMap((cpu) => [
      line('node_cpu_seconds_total', { cpu, mode: 'idle' }, seconds * 0.4),
      line('node_cpu_seconds_total', { cpu, mode: 'user' }, seconds / 2),
      line('node_cpu_seconds_total', { cpu, mode: 'iowait' }, seconds / 10),
    ]),
    line('node_memory_MemTotal_bytes', {}, node.memory),
    line('node_memory_MemAvailable_bytes', {}, node.memory / 4),
    line('node_filesystem_size_bytes', { device: '/dev/sda1', fstype: 'ext4', mountpoint: '/' }, 1000),
    line('node_filesystem_avail_bytes', { device: '/dev/sda1', fstype: 'ext4', mountpoint: '/' }, 200),
    line('node_filesystem_size_bytes', { device: 'tmpfs', fstype: 'tmpfs', mountpoint: '/run' }, 1000),
    line('node_filesystem_avail_bytes', { device: 'tmpfs', fstype: 'tmpfs', mountpoint: '/run' }, 1),
    line('node_network_receive_bytes_total', { device: 'eth0' }, 1000 * seconds),
    line('node_network_receive_bytes_total', { device: 'veth12' }, 9999 * seconds),
    line('node_network_transmit_bytes_total', { device: 'eth0' }, 500 * seconds),
    line('kubelet_running_pods', {}, 7),
  ]
}

function podFigures({ namespace, pod, container, cores, memory }: Exported['pods'][number], seconds: number): string[] {
  const one = labelled({ namespace, pod, container, image: 'registry.example.test/web:1' })
  const whole = labelled({ namespace, pod })
  const pause = labelled({ namespace, pod, container: 'POD' })
  return [
    `container_cpu_usage_seconds_total${one} ${cores * seconds}`,
    `container_cpu_usage_seconds_total${whole} ${cores * seconds}`,
    `container_cpu_usage_seconds_total${pause} ${seconds}`,
    `container_memory_working_set_bytes${one} ${memory}`,
    `container_memory_working_set_bytes${whole} ${memory}`,
    `container_network_receive_bytes_total${labelled({ namespace, pod, interface: 'eth0' })} ${200 * seconds}`,
    `container_network_transmit_bytes_total${labelled({ namespace, pod, interface: 'eth0' })} ${100 * seconds}`,
    `container_fs_reads_bytes_total${one} ${50 * seconds}`,
    `container_fs_writes_bytes_total${one} ${25 * seconds}`,
  ]
}

const stepMs = 60_000
const pastMs = 6 * stepMs

/**
 * Lets a Prometheus scrape the metrics of kube-prometheus, by a file in its folder of targets: one target per node, and
 * one for the pods. Each first reports the past minutes, one minute per scrape, so that rates over minutes exist at
 * once. `stop` removes the targets.
 */
export async function exportKube(targets: string, exported: Exported) {
  const started = Date.now() - pastMs
  const told = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const at = Math.min((told.get(path) ?? started) + stepMs, Date.now())
    told.set(path, at)
    const seconds = (at - started) / 1000
    const node = exported.nodes.find(({ name }) => path === `/nodes/${name}`)
    const lines = node ? nodeFigures(node, seconds) : exported.pods.flatMap((pod) => podFigures(pod, seconds))
    response
      .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
      .end(lines.map((line) => `${line} ${at}\n`).join(''))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  mkdirSync(targets, { recursive: true })
  const file = join(targets, `kube-${port}.json`)
  const target = (path: string, instance: string) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { __metrics_path__: path, instance, cluster: `lab-${port}` },
  })
  writeFileSync(
    file,
    JSON.stringify([
      target('/pods', '10.0.0.9:10250'),
      ...exported.nodes.map(({ name }, at) => target(`/nodes/${name}`, `10.0.0.${at}:9100`)),
    ]),
  )
  return {
    /** label that separates these metrics from others in the same Prometheus */
    cluster: `lab-${port}`,
    /** Whether every target has reached the present. */
    caughtUp: () =>
      told.size === exported.nodes.length + 1 && [...told.values()].every((at) => at > Date.now() - stepMs / 2),
    stop: () => {
      rmSync(file, { force: true })
      server.closeAllConnections()
      server.close()
    },
  }
}
