import { delimiter } from 'node:path'
import { spawnSync } from 'node:child_process'
import { ownSettings, type Variables } from './settings.ts'
import { GaveUp } from './supervisor.ts'

/** What npm adds for its scripts is no business of the product, and its programs are none of a build's. */
const withoutNpm = (env: Variables): Variables => {
  const path = env['PATH']
    ?.split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]|[/\\]node-gyp-bin$/.test(`${folder}/`))
    .join(delimiter)
  const kept = Object.entries(env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE$|COLOR$|EDITOR$)/.test(name))
  return { ...Object.fromEntries(kept), ...(path === undefined ? {} : { PATH: path }) }
}

const common: Variables = {
  // glibc otherwise keeps a heap for each of Node's threads, and gives little of them back.
  MALLOC_ARENA_MAX: '2',
}

/** Half of these may look up names: two of users' at most (see inTurn in the server), so that the database's is found too. */
const serversThreads: Variables = { UV_THREADPOOL_SIZE: '8' }

/** The server is given everything: most of the variables are its own. */
export const forServer = (env: Variables, own: Variables): Variables => ({
  ...serversThreads,
  ...withoutNpm(env),
  ...common,
  ...own,
})

const harmless =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|NO_PROXY|NODE_COMPILE_CACHE|GANTRY_LOG_LEVEL|GANTRY_AGENT_\w+)$/i

/** The agent runs other people's code and the sandbox answers it: neither ever holds the database's URL, the key or a password. */
export const forOthers = (env: Variables, own: Variables): Variables => ({
  ...Object.fromEntries(Object.entries(withoutNpm(env)).filter(([name]) => harmless.test(name))),
  ...common,
  ...own,
})

/**
 * Lets the server look at the variables that it alone understands, before anything is made: a process of a fifth of a
 * second, and only where one of them is set. It says itself what is wrong.
 */
export const checkServerVariables = (env: Variables, checker: string): void => {
  if (!Object.keys(env).some((name) => name.startsWith('GANTRY_') && !ownSettings.has(name))) return
  const { status } = spawnSync(process.execPath, [checker], {
    env: forServer(env, {}),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new GaveUp('the configuration')
}
