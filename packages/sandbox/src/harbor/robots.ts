import type { May } from '../registry/rights.ts'
import {
  type Exchange,
  fits,
  HarborError,
  listIn,
  notFound,
  objectIn,
  pageOf,
  reply,
  type Route,
  termsOf,
  textIn,
} from './exchange.ts'
import { newSecret, placeOf, type Permission, type Robot, robotPrefix } from './state.ts'

const shapeOf = ({
  id,
  name,
  description,
  level,
  duration,
  disable,
  permissions,
  created,
  updated,
}: Robot): object => ({
  id,
  name: `${robotPrefix}${name}`,
  description,
  level,
  duration,
  editable: true,
  disable,
  expires_at: -1,
  permissions,
  creation_time: created,
  update_time: updated,
})

function find({ state, names }: Exchange): Robot {
  const robot = state.robots.find(({ id }) => id === Number(names[0]))
  if (!robot) throw notFound(`robot ${names[0]}`)
  return robot
}

/** Like Harbor, refuses a robot without permissions. */
function permissionsIn(body: Record<string, unknown>): Permission[] {
  const permissions = listIn(body['permissions']).map((given) => {
    const { kind, namespace, access } = objectIn(given)
    return {
      kind: textIn(kind),
      namespace: textIn(namespace),
      access: listIn(access).map((one) => ({
        resource: textIn(objectIn(one)['resource']),
        action: textIn(objectIn(one)['action']),
      })),
    }
  })
  if (permissions.length === 0 || permissions.some(({ access }) => access.length === 0))
    throw new HarborError(400, 'BAD_REQUEST', 'bad request empty permission')
  return permissions
}

function create(exchange: Exchange): void {
  const { state, body, response } = exchange
  const name = textIn(body['name'])
  if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name)) throw new HarborError(400, 'BAD_REQUEST', 'robot name is not valid')
  const permissions = permissionsIn(body)
  if (state.robots.some((robot) => robot.name === name))
    throw new HarborError(400, 'BAD_REQUEST', `robot ${name} already exists`)
  const now = new Date().toISOString()
  const robot: Robot = {
    id: state.id(),
    name,
    description: textIn(body['description']),
    secret: '',
    level: textIn(body['level']),
    duration: Number(body['duration'] ?? -1),
    disable: body['disable'] === true,
    permissions,
    created: now,
    updated: now,
  }
  const secret = newSecret(robot, '')
  state.robots.push(robot)
  state.save()
  response.setHeader('location', `/api/v2.0/robots/${robot.id}`)
  reply(exchange, 201, { id: robot.id, name: `${robotPrefix}${name}`, secret, creation_time: now, expires_at: -1 })
}

function change(exchange: Exchange): void {
  const robot = find(exchange)
  const { body, state } = exchange
  if (textIn(body['name']) !== `${robotPrefix}${robot.name}`)
    throw new HarborError(400, 'BAD_REQUEST', 'cannot update the level or name of robot')
  Object.assign(robot, {
    permissions: permissionsIn(body),
    disable: body['disable'] === true,
    description: textIn(body['description']),
    updated: new Date().toISOString(),
  })
  state.save()
  reply(exchange, 200)
}

export const robotRoutes: Route[] = [
  [
    'GET',
    /^\/robots$/,
    (exchange) => {
      const terms = termsOf(exchange.query)
      const found = exchange.state.robots.filter(
        ({ name, level }) => fits(terms, 'name', [name]) && fits(terms, 'level', [level]),
      )
      pageOf(exchange, '/robots', found, shapeOf)
    },
  ],
  ['POST', /^\/robots$/, create],
  ['GET', /^\/robots\/(\d+)$/, (exchange) => reply(exchange, 200, shapeOf(find(exchange)))],
  ['PUT', /^\/robots\/(\d+)$/, change],
  [
    'PATCH',
    /^\/robots\/(\d+)$/,
    (exchange) => {
      const secret = newSecret(find(exchange), textIn(exchange.body['secret']))
      exchange.state.save()
      reply(exchange, 200, { secret })
    },
  ],
  [
    'DELETE',
    /^\/robots\/(\d+)$/,
    (exchange) => {
      const robot = find(exchange)
      exchange.state.robots.splice(exchange.state.robots.indexOf(robot), 1)
      exchange.state.save()
      reply(exchange, 200)
    },
  ],
]

/** The rights of a robot in the registry's repositories. */
export const rightsOfRobot =
  ({ permissions }: Robot): May =>
  (action, repository) =>
    permissions.some(
      ({ namespace, access }) =>
        placeOf(repository)?.project === namespace &&
        access.some((right) => right.resource === 'repository' && right.action === action),
    )
