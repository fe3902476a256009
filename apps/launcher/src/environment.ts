import { delimiter } from 'node:path'
import { spawnSync } from 'node:child_process'
import { ownSettings, type Variables } from './settings.ts'
import { GaveUp } from './supervisor.ts'

/** Removes what npm adds for its scripts: the product must not depend on it, nor builds find its programs. */
const withoutNpm = (env: Variables): Variables => {
  const path = env['PATH']
    ?.split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]|[/\\]node-gyp-bin$/.test(`${folder}/`))
    .join(delimiter)
  const kept = Object.entries(env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE$|COLOR$|EDITOR$)/.test(name))
  return { ...Object.fromEntries(kept), ...(path === undefined ? {} : { PATH: path }) }
}

const common: Variables = {
  // without it glibc keeps a heap for each of Node's threads, and returns little of them
  MALLOC_ARENA_MAX: '2',
  // its first value, which glibc else raises with each larger buffer, and keeps what lies below
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** Half of these may look up names: at most three for users (see inTurn in the server), so the database has one. */
const serversThreads: Variables = { UV_THREADPOOL_SIZE: '8' }

/** The server gets the whole environment: most of the variables are for it. */
export const forServer = (env: Variables, own: Variables): Variables => ({
  ...serversThreads,
  ...withoutNpm(env),
  ...common,
  ...own,
})

const harmless =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|NO_PROXY|NODE_COMPILE_CACHE|GANTRY_LOG_LEVEL|GANTRY_AGENT_\w+)$/i

/** The agent runs other people's code, the sandbox serves it: neither gets the database URL, the key or a password. */
export const forOthers = (env: Variables, own: Variables): Variables => ({
  ...Object.fromEntries(Object.entries(withoutNpm(env)).filter(([name]) => harmless.test(name))),
  ...common,
  ...own,
})

/**
 * Has the server check the variables that only it understands, before anything is created. It takes a process of a
 * fifth of a second, so it runs only if one of them is set. The server itself prints what is wrong.
 */
export const checkServerVariables = (env: Variables, checker: string): void => {
  if (!Object.keys(env).some((name) => name.startsWith('GANTRY_') && !ownSettings.has(name))) return
  const { status } = spawnSync(process.execPath, [checker], {
    env: forServer(env, {}),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new GaveUp('the configuration')
}
