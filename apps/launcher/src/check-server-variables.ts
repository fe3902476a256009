import { spawnSync } from 'node:child_process'
import { forServer } from './environment.ts'
import { own, type Variables } from './settings.ts'
import { GaveUp } from './supervisor.ts'

/**
 * Lets the server look at the variables that it alone understands, before anything is made: a process of a fifth of a
 * second, and only where one of them is set. It says itself what is wrong.
 */
export const checkServerVariables = (env: Variables, checker: string): void => {
  if (!Object.keys(env).some((name) => name.startsWith('GANTRY_') && !own.has(name))) return
  const { status } = spawnSync(process.execPath, [checker], {
    env: forServer(env, {}),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new GaveUp('the configuration')
}
