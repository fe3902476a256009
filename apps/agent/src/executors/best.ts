import { join } from 'node:path'
import type { Engine } from '../containers/engine.ts'
import type { Log } from '../log.ts'
import { whyNoNat } from '../network/nat.ts'
import { machineNetwork, network } from '../network/network.ts'
import { StepFailure } from '../reasons.ts'
import type { Config, NetworkMode } from '../config.ts'
import { spoolOf, type Workspace, type Slot } from '../workspace/workspace.ts'
import type { ConfigPaths } from './coverage.ts'
import type { Command, Executor } from './executor.ts'
import { lastWords, processExecutor, type ProcessExecutor } from './process.ts'
import { quoted, type Mode } from './scripts.ts'

/**
 * Chooses the strongest isolation that works on this machine, by running a real step with each. The reason of a failure
 * is for the agent's log and its administrator.
 */
export async function bestExecutor(
  config: Config,
  { slot, taken }: { slot: Slot; taken: Slot[] },
  log: Log,
  engine?: Engine,
): Promise<{ executor: ProcessExecutor; why: string }> {
  const mode: Mode = process.getuid?.() === 0 ? 'root' : 'user'
  const best: NetworkMode[] = whyNoNat() === '' ? ['nat', 'proxy'] : ['proxy']
  const whys: string[] = []
  for (const way of config.network === undefined ? best : [config.network]) {
    const steps = network(config, way, mode === 'user', log)
    const executor = processExecutor(config, mode, steps, log, engine)
    await steps.adopt(taken)
    const why = await probe(executor, config, slot)
    if (why === '') return { executor, why }
    whys.push(why)
  }
  return { executor: processExecutor(config, 'none', machineNetwork, log), why: whys.join('; ') }
}

async function probe(executor: ProcessExecutor, config: ConfigPaths, slot: Slot): Promise<string> {
  const work = { jobId: 0, attempt: process.pid } as Parameters<Executor['prepare']>[0]
  let room: Workspace | undefined
  try {
    room = await executor.prepare(work, slot)
    const command: Command = {
      step: 0,
      shell: 'sh',
      // checks that it is alone in its namespace, and that hidden folders are hidden
      script: `read -r first < /proc/1/comm; test "$first" = sh -a ! -e ${quoted(join(config.dir, 'builds'))}`,
      environment: [],
    }
    const ended = await executor.wait(await executor.start(room, command))
    if (ended.how === 'exit' && ended.code === 0) return ''
    return `unshare: ${lastWords(spoolOf(room, 0)) || JSON.stringify(ended)}`
  } catch (cause) {
    return cause instanceof StepFailure ? String(cause.reason.vars?.['why'] ?? '') : String(cause)
  } finally {
    if (room !== undefined) await executor.cleanup(room)
  }
}
