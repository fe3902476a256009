import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { harborAdmin, harborPurpose } from '@gantry/contract/harbor/sandbox'
import { accountIn, type Credential, isAccount, type May } from '../registry/rights.ts'
import type { Storage } from '../registry/storage.ts'
import { contentRoutes } from './contents.ts'
import { HarborError, objectIn, reply, type Route } from './exchange.ts'
import { projectRoutes } from './projects.ts'
import { replicationRoutes } from './replication.ts'
import { rightsOfRobot, robotRoutes } from './robots.ts'
import { openState, robotOf } from './state.ts'

export const harborPrefix = '/api/v2.0/'

interface HarborOptions {
  storage: Storage
  /** The file with a Harbor's state, except its images. */
  path: string
  /** The registry's key, from which the administrator's password is derived. */
  key: string
}

export interface SimulatedHarbor {
  serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  /** The rights of an account in the registry's repositories; undefined if it is not an account of Harbor. */
  rightsOf(username: string, password: string): May | undefined
}

/** Derived from the registry's key, so that nothing else is stored. */
const passwordOf = (key: string): string => createHmac('sha256', key).update(harborPurpose).digest('base64url')

const routes: Route[] = [...projectRoutes, ...contentRoutes, ...robotRoutes, ...replicationRoutes]

const maxBytes = 1_048_576

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new HarborError(400, 'BAD_REQUEST', 'the body is too large')
    chunks.push(chunk)
  }
  if (size === 0) return {}
  try {
    return objectIn(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch {
    throw new HarborError(400, 'BAD_REQUEST', 'the body is no JSON')
  }
}

/** Slashes of a repository are encoded twice: this is the second decoding. */
function namesIn(path: string, pattern: RegExp): string[] | undefined {
  const found = pattern.exec(path)
  if (!found) return undefined
  try {
    const names = found.slice(1).map((name) => decodeURIComponent(name))
    return path.includes('/repositories/')
      ? names.map((name, at) => (at === 1 ? decodeURIComponent(name) : name))
      : names
  } catch {
    return undefined
  }
}

/** Harbor's API over the sandbox's registry: the calls that the platform makes, and no others. */
export function simulatedHarbor({ storage, path, key }: HarborOptions): SimulatedHarbor {
  const state = openState(path)
  const admin = { username: harborAdmin, password: passwordOf(key) }
  const isAdmin = (account: Credential | undefined): boolean => account !== undefined && isAccount(account, admin)

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const below = url.pathname.slice(harborPrefix.length - 1)
    if (!isAdmin(accountIn(request.headers.authorization ?? '')))
      throw new HarborError(401, 'UNAUTHORIZED', 'unauthorized')
    const body = await bodyOf(request)
    for (const [method, pattern, handler] of routes) {
      const names = method === request.method ? namesIn(below, pattern) : undefined
      if (names === undefined) continue
      const origin = `http://${request.headers.host ?? url.host}`
      return handler({ state, storage, origin, request, response, query: url.searchParams, names, body })
    }
    throw new HarborError(404, 'NOT_FOUND', 'the simulated Harbor has no such call')
  }

  return {
    serve: (request, response, url) =>
      answer(request, response, url).catch((error: unknown) => {
        if (!(error instanceof HarborError)) throw error
        reply({ response }, error.status, { errors: [{ code: error.code, message: error.message }] })
      }),
    rightsOf(username, secret) {
      if (isAdmin({ username, password: secret })) return () => true
      const robot = robotOf(state, username, secret)
      return robot && rightsOfRobot(robot)
    },
  }
}
