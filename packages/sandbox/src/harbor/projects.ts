import { listRepositories } from '../registry/storage.ts'
import {
  type Exchange,
  fits,
  HarborError,
  answerCreated,
  notFound,
  objectIn,
  pageOf,
  reply,
  type Route,
  termsOf,
  textIn,
} from './exchange.ts'
import { addProject, immutableTags, placeOf, type Project, projectsOf, type State } from './state.ts'
import { repositoriesOf, sizeOf } from './contents.ts'

const shapeOf =
  ({ storage }: Pick<Exchange, 'storage'>) =>
  ({ id, name, public: isPublic, created, updated }: Project): object => ({
    project_id: id,
    name,
    owner_id: 1,
    owner_name: 'admin',
    creation_time: created,
    update_time: updated,
    repo_count: repositoriesOf(storage, name).length,
    metadata: { public: String(isPublic), retention_id: String(id) },
  })

const pattern = (decoration: string, text: string) => ({ kind: 'doublestar', decoration, pattern: text })
const anyRepository = { repository: [pattern('repoMatches', '**')] }

/** The same for every project: the rules for a clean-up of tags, which never runs. */
function retention(exchange: Exchange): void {
  const id = Number(exchange.names[0])
  if (!projectsOf(exchange.state, exchange.storage).some((one) => one.id === id)) throw notFound(`retention ${id}`)
  const params = { latestPushedK: 10 }
  const rule = { id: 1, action: 'retain', template: 'latestPushedK', params, disabled: false }
  reply(exchange, 200, {
    id,
    algorithm: 'or',
    rules: [{ ...rule, tag_selectors: [pattern('matches', '**')], scope_selectors: anyRepository }],
    trigger: { kind: 'Schedule', settings: { cron: '' } },
    scope: { level: 'project', ref: id },
  })
}

function immutableRules(exchange: Exchange): void {
  const { id } = find(exchange)
  const tags = [pattern('matches', `${immutableTags}*`)]
  const rule = { action: 'immutable', template: 'immutable_template', disabled: false, params: {} }
  pageOf(exchange, `/projects/${id}/immutabletagrules`, [rule], (one) => ({
    id: 1,
    ...one,
    tag_selectors: tags,
    scope_selectors: anyRepository,
  }))
}

/** Finds a project by its id, or by its name if the header says so. */
function find({ state, storage, names, request }: Exchange): Project {
  const [given = ''] = names
  const isName = request.headers['x-is-resource-name'] === 'true' || !/^\d+$/.test(given)
  const project = projectsOf(state, storage).find((one) => (isName ? one.name === given : one.id === Number(given)))
  if (!project) throw notFound(`project ${given}`)
  return project
}

const isPublicIn = (body: Record<string, unknown>, otherwise: boolean): boolean => {
  const value = objectIn(body['metadata'])['public']
  return value === undefined ? otherwise : value === 'true'
}

const namePattern = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/

function create(exchange: Exchange): void {
  const { state, storage, body } = exchange
  const name = textIn(body['project_name'])
  if (name.length > 255 || !namePattern.test(name))
    throw new HarborError(400, 'BAD_REQUEST', `${name} is no valid project name`)
  if (projectsOf(state, storage).some((project) => project.name === name))
    throw new HarborError(409, 'CONFLICT', `The project named ${name} already exists`)
  const { id } = addProject(state, name, isPublicIn(body, false))
  state.save()
  answerCreated(exchange, '/projects', id)
}

function remove(exchange: Exchange): void {
  const { state, storage } = exchange
  const project = find(exchange)
  if (repositoriesOf(storage, project.name).length > 0)
    throw new HarborError(412, 'PRECONDITION', `the project ${project.name} contains repositories, can not be deleted`)
  state.projects.splice(state.projects.indexOf(project), 1)
  state.save()
  reply(exchange, 200)
}

const counts = (state: State, storage: Exchange['storage']) => {
  const projects = projectsOf(state, storage)
  const repositories = listRepositories(storage).flatMap((name) => placeOf(name) ?? [])
  const open = new Set(projects.filter((project) => project.public).map(({ name }) => name))
  const openRepositories = repositories.filter(({ project }) => open.has(project)).length
  return {
    public_project_count: open.size,
    private_project_count: projects.length - open.size,
    total_project_count: projects.length,
    public_repo_count: openRepositories,
    private_repo_count: repositories.length - openRepositories,
    total_repo_count: repositories.length,
    total_storage_consumption: projects.reduce((sum, { name }) => sum + sizeOf(storage, name), 0),
  }
}

export const projectRoutes: Route[] = [
  [
    'GET',
    /^\/users\/current$/,
    (exchange) =>
      reply(exchange, 200, { user_id: 1, username: 'admin', email: 'admin@sandbox.invalid', sysadmin_flag: true }),
  ],
  [
    'GET',
    /^\/systeminfo$/,
    (exchange) =>
      reply(exchange, 200, {
        harbor_version: 'v2.12.0-gantry-sandbox',
        auth_mode: 'db_auth',
        registry_url: new URL(exchange.origin).host,
        external_url: exchange.origin,
        banner_message: 'The Gantry sandbox: everything here is simulated',
        current_time: new Date().toISOString(),
        read_only: false,
      }),
  ],
  [
    'GET',
    /^\/health$/,
    (exchange) =>
      reply(exchange, 200, {
        status: 'healthy',
        components: ['core', 'database', 'registry', 'registryctl'].map((name) => ({ name, status: 'healthy' })),
      }),
  ],
  ['GET', /^\/statistics$/, (exchange) => reply(exchange, 200, counts(exchange.state, exchange.storage))],
  [
    'GET',
    /^\/systeminfo\/volumes$/,
    (exchange) => reply(exchange, 200, { storage: [{ total: 100 * 2 ** 30, free: 64 * 2 ** 30 }] }),
  ],
  [
    'GET',
    /^\/projects$/,
    (exchange) => {
      const terms = termsOf(exchange.query)
      const found = projectsOf(exchange.state, exchange.storage).filter(({ name }) => fits(terms, 'name', [name]))
      const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      pageOf(exchange, '/projects', sorted, shapeOf(exchange))
    },
  ],
  ['POST', /^\/projects$/, create],
  ['GET', /^\/projects\/([^/]+)$/, (exchange) => reply(exchange, 200, shapeOf(exchange)(find(exchange)))],
  [
    'PUT',
    /^\/projects\/([^/]+)$/,
    (exchange) => {
      const project = find(exchange)
      project.public = isPublicIn(exchange.body, project.public)
      project.updated = new Date().toISOString()
      exchange.state.save()
      reply(exchange, 200)
    },
  ],
  ['DELETE', /^\/projects\/([^/]+)$/, remove],
  ['GET', /^\/projects\/([^/]+)\/immutabletagrules$/, immutableRules],
  ['GET', /^\/retentions\/(\d+)$/, retention],
  [
    'GET',
    /^\/projects\/([^/]+)\/summary$/,
    (exchange) => {
      const { name } = find(exchange)
      reply(exchange, 200, {
        repo_count: repositoriesOf(exchange.storage, name).length,
        project_admin_count: 1,
        quota: { hard: { storage: -1 }, used: { storage: sizeOf(exchange.storage, name) } },
      })
    },
  ],
]
