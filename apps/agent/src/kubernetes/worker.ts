import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { client as openClient } from '../client.ts'
import type { JobConfig } from '../config.ts'
import { transport, trusting } from '../http.ts'
import { log, messageOf } from '../log.ts'
import { makeStep } from '../progress.ts'
import { startBuild } from '../runner.ts'
import { steps } from '../steps/all.ts'
import { spoolOf } from '../workspace/workspace.ts'
import { controlRoot, type PodInput, roomDir } from './manifest.ts'
import { podExecutor } from './pod-executor.ts'

/** Short, because it learns only from answers to its own calls that the job was stopped. */
const beatMs = 2000

/** The main process of a job's pod: runs one job, reports it, and exits, which ends the pod. */
export async function runJob({ given, serverUrl, ca, limits }: JobConfig): Promise<void> {
  const { work, told: lines } = JSON.parse(gunzipSync(readFileSync(join(given, 'work'))).toString('utf8')) as PodInput
  const credential = readFileSync(join(given, 'credential'), 'utf8').trim()
  // whoever ends this pod reports the reason
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(1))
  const http = transport({ ca })
  const client = openClient({
    serverUrl,
    token: () => credential,
    transport: http,
    onTrouble: (call, cause) => log('warn', 'the server does not answer', { call, error: messageOf(cause) }),
  })
  const executor = podExecutor({ roomDir, controlRoot, limits })
  const room = await executor.prepare(work, { index: 0 })
  if (lines.length > 0) {
    makeStep(room, work.firstStep)
    appendFileSync(spoolOf(room, work.firstStep), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  }
  const build = startBuild(
    {
      client,
      executor,
      log,
      ca,
      outside: (registry) => transport({ ca: trusting(ca, registry.ca), insecure: registry.insecure }),
      steps,
      beatMs,
      leaseMs: (leaseSeconds - 2) * 1000,
      compressed: true,
    },
    work,
    room,
  )
  await build.done
  process.exit(0)
}
