import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkServerVariables } from './environment.ts'
import { type DataFolder, lockDataFolder, openDataFolder } from './data-folder.ts'
import { endLeftover } from './node-part.ts'
import { openOutput } from './output.ts'
import {
  agentPart,
  consolePart,
  consoleUrl,
  type PartContext,
  type Entrypoints,
  mains as ownMains,
  sandboxAddress,
  type SandboxAddress,
  sandboxPart,
  serverPart,
} from './parts.ts'
import { portProblem } from './ports.ts'
import { postgresPart } from './postgres-part.ts'
import { Refusal, type Settings, type Variables } from './settings.ts'
import { GaveUp, type Part, supervise, type Supervised } from './supervisor.ts'

export interface Product {
  /** Resolves when the product is ready. Rejects with a Refusal, or a GaveUp of a part that has printed its reason. */
  ready: Promise<Started>
  /** Ends everything in order, within 25 s: the agent, the server, the sandbox, PostgreSQL. */
  stop: () => Promise<void>
  /** Ends everything at once. */
  kill: () => void
}

export interface Started {
  folder: DataFolder
  /** The folder of the parts' log files; undefined: the parts log to the standard output. */
  logs: string | undefined
  /** The address of the console for browsers. */
  url: string
  /** During this start the server created the first administrator with a generated password. */
  newPassword: boolean
}

const refuseBusyPort = async ({ host, port }: Settings): Promise<void> => {
  const problem = await portProblem(host, port)
  if (problem === 'EADDRINUSE')
    throw new Refusal(`Port ${port} on ${host} is taken by another program: stop it, or set GANTRY_PORT to a free one.`)
  if (problem === 'EACCES')
    throw new Refusal(`Port ${port} needs more rights than this user has: set GANTRY_PORT to one from 1024 on.`)
  if (problem) throw new Refusal(`GANTRY_HOST: ${host} is no address of this machine (${problem}).`)
}

/** The names of the servers that were started in this folder, however many they were. */
const serversLeftIn = ({ run }: DataFolder): string[] =>
  readdirSync(run).flatMap((file) => /^(server(?:-\d+)?)\.json$/.exec(file)?.[1] ?? [])

/** Makes every check that can refuse the start before anything is created. */
const claim = async (settings: Settings): Promise<DataFolder> => {
  if (!existsSync(settings.data)) await refuseBusyPort(settings)
  const folder = openDataFolder(settings.data)
  lockDataFolder(folder)
  // Processes of a killed launcher are draining, or hang; the agent is ended before the server that it reports to.
  for (const name of ['console', 'agent', ...serversLeftIn(folder), 'sandbox']) await endLeftover(folder, name)
  await refuseBusyPort(settings)
  return folder
}

export interface Choices {
  mains?: Entrypoints
  /** Restarts the server when its sources change, and serves the console from its sources. */
  development?: boolean
}

const sandboxMs = 5_000

/** `report` gets a line for each thing that the product's owner may want to know while it runs. */
export const startProduct = (
  settings: Settings,
  env: Variables,
  report: (line: string) => void,
  { mains = ownMains, development = false }: Choices = {},
): Product => {
  /** Parts that depend on others come first. */
  const running: Supervised[] = []
  const servers: Supervised[] = []
  let stopping = false

  const run = (part: Part): Supervised => {
    const supervised = supervise(part, report)
    running.unshift(supervised)
    if (!stopping) supervised.start()
    return supervised
  }

  /** Resolves to whether the sandbox started in time; the other parts work without it. */
  const startSandbox = async (ground: PartContext, address: SandboxAddress): Promise<boolean> => {
    const sandbox = run(sandboxPart(ground, address))
    const inTime = await Promise.race([sandbox.up.then(() => true), sleep(sandboxMs, false, { ref: false })])
    if (!inTime) report(`the sandbox did not start within ${sandboxMs / 1000} s; going on without it.`)
    return inTime
  }

  const start = async (): Promise<Started> => {
    checkServerVariables(env, mains.checkConfig)
    const folder = await claim(settings)
    const toFiles = process.stdout.isTTY && !development
    const output = openOutput(folder.logs, toFiles)
    const ground = { settings, env, folder, output, mains, development }
    const postgres = settings.databaseUrl ? undefined : await postgresPart(folder, output, settings.servers)
    const database = postgres && run(postgres.part)
    const address = settings.sandbox ? await sandboxAddress(ground) : undefined
    const sandbox = address && startSandbox(ground, address)
    await database?.up.catch((error: unknown) => {
      throw error instanceof GaveUp
        ? new Refusal(`PostgreSQL did not start; ${output.folder}/postgres.log says why.`)
        : error
    })
    const hadPassword = existsSync(folder.adminPasswordFile)
    const databaseUrl = settings.databaseUrl ?? postgres?.cluster.url('gantry') ?? ''
    const reached = (await sandbox) ? address : undefined
    const runServer = (index: number): Supervised => {
      const server = run(serverPart(ground, { databaseUrl, sandbox: reached, index }))
      servers.push(server)
      return server
    }
    // the first one migrates the database and creates the first administrator; the others follow while it works
    await runServer(0).up
    for (let index = 1; index < settings.servers; index++) runServer(index)
    if (settings.agent) run(agentPart(ground, reached))
    if (development) run(consolePart(ground))
    return {
      folder,
      url: development ? consoleUrl : settings.publicUrl,
      logs: toFiles ? output.folder : undefined,
      newPassword: !hadPassword && existsSync(folder.adminPasswordFile),
    }
  }

  const ready = start()
  return {
    ready,
    stop: async () => {
      stopping = true
      // the servers end at once, because each may drain as long as all limits allow
      for (const part of running)
        await (servers.includes(part) ? Promise.all(servers.map((server) => server.stop())) : part.stop())
    },
    kill: () => {
      for (const part of running) part.kill()
    },
  }
}
