import { z } from 'zod'
import { type AskHarbor, type HarborAccess, parsed, part } from './session.ts'

/** What a robot may do in one project. */
export interface RobotRight {
  project: string
  actions: readonly ('pull' | 'push')[]
}

interface RobotAccount {
  id: number
  /** The name to log in with, including Harbor's prefix. */
  name: string
  secret: string
}

export interface Robots {
  /**
   * Creates a robot with this name, exactly these rights and a new secret. An existing one, from an attempt that was
   * cut off, is updated instead.
   */
  putRobot(access: HarborAccess, name: string, rights: readonly RobotRight[]): Promise<RobotAccount>
  /** Gives a robot exactly these rights and keeps its secret; false if the robot no longer exists. */
  setRights(access: HarborAccess, id: number, rights: readonly RobotRight[]): Promise<boolean>
  /** Succeeds also if the robot no longer exists. */
  removeRobot(access: HarborAccess, id: number): Promise<void>
}

const Created = z.object({ id: z.number().int(), name: z.string(), secret: z.string() })
const Robot = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullish(),
  level: z.string().nullish(),
  duration: z.number().int().nullish(),
  editable: z.boolean().nullish(),
})

const permissionsOf = (rights: readonly RobotRight[]) =>
  rights.map(({ project, actions }) => ({
    kind: 'project',
    namespace: project,
    access: actions.map((action) => ({ resource: 'repository', action })),
  }))

const description = 'Made by Gantry, which renews and removes it'
/** Never expires: the product removes it when its right ends. */
const forever = -1

export function harborRobots(ask: AskHarbor): Robots {
  const find = async (access: HarborAccess, name: string) => {
    const answer = await ask(access, { path: '/robots', query: { q: `Level=system,name=${name}`, page_size: 100 } })
    // Harbor returns names with a prefix that its administrator chooses
    return parsed(answer, z.array(Robot)).find((robot) => robot.name === name || robot.name.endsWith(`$${name}`))
  }
  const read = async (access: HarborAccess, id: number) => {
    const answer = await ask(access, { path: `/robots/${part(id)}`, accepts: [404] })
    return answer.status === 404 ? undefined : parsed(answer, Robot)
  }
  const write = async (access: HarborAccess, robot: z.infer<typeof Robot>, rights: readonly RobotRight[]) => {
    const { id, name, level = 'system' } = robot
    const body = { id, name, description, level, duration: forever, disable: false, permissions: permissionsOf(rights) }
    await ask(access, { method: 'PUT', path: `/robots/${part(id)}`, body })
  }

  return {
    async putRobot(access, name, rights) {
      const present = await find(access, name)
      if (present === undefined) {
        const body = {
          name,
          description,
          level: 'system',
          duration: forever,
          disable: false,
          permissions: permissionsOf(rights),
        }
        return parsed(await ask(access, { method: 'POST', path: '/robots', body }), Created)
      }
      await write(access, present, rights)
      // an empty secret requests a new one
      const answer = await ask(access, { method: 'PATCH', path: `/robots/${part(present.id)}`, body: { secret: '' } })
      const { secret } = parsed(answer, z.object({ secret: z.string().min(1) }))
      return { id: present.id, name: present.name, secret }
    },

    async setRights(access, id, rights) {
      const robot = await read(access, id)
      if (robot === undefined) return false
      await write(access, robot, rights)
      return true
    },

    async removeRobot(access, id) {
      await ask(access, { method: 'DELETE', path: `/robots/${part(id)}`, accepts: [404] })
    },
  }
}
